//! What `show` and `moves` print.

use std::process::Command;

const KERNEL: &str = "\
void f(int n, double A[n][n], double *x) {
  double s;
#pragma scop
  s = 0;
  for (int i = 0; i < n; i++)
    for (int j = n - 1;
         j >= 0; j--)
      s += A[i][j] * x[j];
#pragma endscop
  x[0] = s;
}
";

#[track_caller]
fn run(name: &str, text: &str, args: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(name), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_loopwright")).args(args).current_dir(dir.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_tree_stands_beside_its_loops() {
    let expect = "\
scop 0: f at a.c:3
parameters: int n
S0, line 4: s = 0;
    [n] -> { S0[] }
S1, line 8: s += A[i][j] * x[j];
    [n] -> { S1[i, j] : 0 <= i < n and 0 <= j < n }
   0 domain  S0[]; S1[i, j]
   1   sequence
   2     filter  S0[]
   3       leaf
   4     filter  S1[i, j]
   5       band  L_0[{ S1[i, j] -> [(i)] }]     | for (int i = 0; i < n; i++) (line 5)
   6         band  L_1[{ S1[i, j] -> [(-j)] }]  | for (int j = n - 1; j >= 0; j--) (line 6)
   7           leaf
";
    assert_eq!(run("a.c", KERNEL, &["show", "a.c"]), expect);
}

#[test]
fn a_tree_without_a_program() {
    let tree = "domain: \"[n] -> { S[i] : 0 <= i < n }\"\nchild:\n  mark: \"m\\\"\"\n  child:\n    schedule: \"[n] -> L[{ S[i] -> [(n - i)] }]\"\n";
    let expect = "t.st\n    [n] -> { S[i] : 0 <= i < n }\n   0 domain  S[i]\n   1   mark  m\"\n   2     band  L[{ S[i] -> [(n - i)] }]\n   3       leaf\n";
    assert_eq!(run("t.st", tree, &["show", "t.st"]), expect);
    let graph = run("t.st", tree, &["show", "--dot", "t.st"]);
    assert!(graph.starts_with("digraph schedule {\n") && graph.ends_with("}\n"), "{graph}");
    assert!(graph.contains("t0_0 [label=\"1 mark\\nm\\\"\"];\n    t0 -> t0_0;"), "{graph}");
}

#[test]
fn a_graph_of_a_program() {
    let graph = run("a.c", KERNEL, &["show", "--dot", "a.c"]);
    assert!(graph.contains("label=\"scop 0: f at a.c:3\""), "{graph}");
    assert!(graph.contains("[label=\"5 band\\nL_0[{ S1[i, j] -> [(i)] }]\\nfor (int i = 0; i < n; i++) (line 5)\"]"), "{graph}");
    assert_eq!(graph.matches(" -> t0").count(), 7);
}

#[test]
fn moves_as_text_and_as_data() {
    let text = run("a.c", KERNEL, &["moves", "a.c", "--node", "5"]);
    assert!(
        text.contains("scop 0 node 5 [0, 1, 0]          TILE_2D(size1: an integer from 2 on; size2: an integer from 2 on)\n"),
        "{text}"
    );
    assert!(text.contains("INTERCHANGE()\n"), "{text}");
    let lines = run("a.c", KERNEL, &["moves", "a.c", "--json"]);
    let rows: Vec<serde_json::Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let row =
        |name: &str, node: u64| rows.iter().find(|r| r["move"] == name && r["node"] == node).unwrap_or_else(|| panic!("{lines}"));
    assert_eq!(
        row("TILE_1D", 6).to_string(),
        r#"{"scop":0,"node":6,"path":[0,1,0,0],"move":"TILE_1D","args":[{"name":"size","kind":"integer","domain":{"range":[2,null]}}]}"#
    );
    assert_eq!(row("PARTIAL_SHIFT_VAR", 5)["args"][1]["domain"].to_string(), r#"{"range":[0,1]}"#);
    assert_eq!(row("FULL_SHIFT_PARAM", 5)["args"][0]["domain"].to_string(), r#"{"list":["n"]}"#);
    // each row, with the least value of each domain, is a step that `check` answers
    let least = |arg: &serde_json::Value| match &arg["domain"]["list"] {
        serde_json::Value::Array(values) => values[0].clone(),
        _ if arg["domain"]["range"][0].is_null() => 1.into(),
        _ => arg["domain"]["range"][0].clone(),
    };
    let step = |r: &serde_json::Value| {
        let mut action = vec![r["move"].clone()];
        action.extend(r["args"].as_array().unwrap().iter().map(least));
        serde_json::json!({"scop": r["scop"], "node": r["node"], "move": action}).to_string()
    };
    let dir = tempfile::tempdir().unwrap();
    let moves = dir.path().join("moves.jsonl");
    std::fs::write(&moves, rows.iter().map(|r| step(r) + "\n").collect::<String>()).unwrap();
    let answers = run("a.c", KERNEL, &["check", "a.c", "--moves", moves.to_str().unwrap()]);
    assert_eq!(answers.lines().count(), rows.len());
    assert!(rows.len() > 20 && !answers.contains("refused"), "{answers}");
}
