//! Value-based flow.

use super::{Answer, Fail, Value};
use loopwright_deps::dataflow::{AccessInfo, Flow, tree_of_map};
use loopwright_presburger::{Dim, Map, UnionMap};
use loopwright_schedule_tree::{Node, ScheduleTree};
use serde_json::{Map as Object, Value as Json, json};

/// Access information as an object of texts.
pub(super) fn access_info(arg: &Json) -> Result<AccessInfo, Fail> {
    let object = arg.as_object().ok_or(Fail::Unsupported)?;
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let union = |key: &str| -> Result<UnionMap, Fail> { Ok(text(key).unwrap_or("{ }").parse()?) };
    let schedule: ScheduleTree = match (text("schedule"), text("schedule_map")) {
        (Some(tree), None) => tree.parse()?,
        (None, Some(map)) => tree_of_map(&map.parse()?)?,
        _ => return Err(Fail::Unsupported),
    };
    Ok(AccessInfo {
        sink: union("sink")?,
        must_source: union("must_source")?,
        may_source: union("may_source")?,
        kill: union("kill")?,
        schedule,
    })
}

/// An access `{access, must}`.
pub(super) fn access(arg: &Json) -> Result<Value, Fail> {
    let (Some(map), Some(must)) = (arg["access"].as_str(), arg["must"].as_bool()) else { return Err(Fail::Unsupported) };
    Ok(Value::Access(map.parse()?, must))
}

/// `union_access_info_compute_flow`
pub(super) fn of_info(info: &AccessInfo) -> Answer {
    Ok(Value::Flow(Box::new(info.flow()?)))
}

/// `union_map_compute_flow`: the accesses are sinks, must and may sources.
pub(super) fn of_accesses(accesses: &UnionMap, schedule: &UnionMap) -> Answer {
    let tree = tree_of_map(schedule)?;
    let info =
        AccessInfo { must_source: accesses.clone(), may_source: accesses.clone(), ..AccessInfo::new(accesses.clone(), tree) };
    of_info(&info)
}

/// `access_info_compute_flow`: instances are their own times; sink and sources get names to tell them apart.
pub(super) fn of_times(sink: &Map, sources: &[Value]) -> Answer {
    let named = |map: &Map, name: &str| map.set_tuple_name(Dim::In, Some(name));
    let own = |map: &Map| UnionMap::from(Map::identity(&map.domain().space().clone()).intersect_domain(&map.domain()));
    let times = |map: &Map, name: &str| -> UnionMap { own(map).members().map(|m| named(m, name)).collect() };
    let mut info = AccessInfo::new(named(sink, "sink").into(), ScheduleTree::new(Node::domain(Default::default(), Node::Leaf))?);
    let mut schedule = times(sink, "sink");
    for (position, source) in sources.iter().enumerate() {
        let Value::Access(map, must) = source else { return Err(Fail::Unsupported) };
        let name = format!("source{position}");
        let side = if *must { &mut info.must_source } else { &mut info.may_source };
        *side = side.add(&named(map, &name));
        schedule = schedule.union(&times(map, &name));
    }
    info.schedule = tree_of_map(&schedule)?;
    let flow = info.flow()?;
    // { source -> [sink -> element] } to { [..] -> [..] }
    let plain = |pairs: &UnionMap| -> UnionMap {
        let ends = pairs.members().map(|m| m.range_factor_domain().set_tuple_name(Dim::In, None).set_tuple_name(Dim::Out, None));
        ends.fold(UnionMap::empty(), |all, m| all.add(&m))
    };
    let must = plain(&flow.must_dependence);
    let may = plain(&flow.may_dependence).subtract(&must);
    Ok(Value::Object(vec![("must", must), ("may", may)]))
}

/// The relations by name.
pub(super) fn object<'a>(entries: impl IntoIterator<Item = (&'static str, &'a UnionMap)>) -> Json {
    Json::Object(entries.into_iter().map(|(key, value)| (key.to_string(), json!(value.to_string()))).collect::<Object<_, _>>())
}

/// The relations of a flow by name.
pub(super) fn relations(flow: &Flow) -> Json {
    object(flow.entries())
}
