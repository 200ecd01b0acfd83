//! The list of kernels: name, category, files, dataset sizes.
//!
//! Files are found through `CARGO_MANIFEST_DIR`: the crate is for tests inside the workspace and is not published.

use std::fmt;
use std::path::PathBuf;

/// One of the thirty PolyBench kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kernel {
    /// The name, as PolyBench spells it: `"2mm"`, `"jacobi-1d"`.
    pub name: &'static str,
    /// PolyBench's folder for it.
    pub category: Category,
}

/// PolyBench's grouping of its kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// `datamining`
    DataMining,
    /// `linear-algebra/blas`
    Blas,
    /// `linear-algebra/kernels`
    LinearAlgebra,
    /// `linear-algebra/solvers`
    Solver,
    /// `medley`
    Medley,
    /// `stencils`
    Stencil,
}

/// A problem size. Without a macro a kernel is compiled at PolyBench's default, [`Dataset::Large`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dataset {
    /// Extents of 8 to 64: a run takes less than a millisecond.
    Mini,
    /// Extents around 100.
    Small,
    /// Extents around 250.
    Medium,
    /// Extents around 1000 to 2000; the conformance data was made at this size.
    Large,
    /// Twice [`Dataset::Large`].
    ExtraLarge,
}

impl Dataset {
    /// All sizes, smallest first.
    pub const ALL: [Dataset; 5] = [Dataset::Mini, Dataset::Small, Dataset::Medium, Dataset::Large, Dataset::ExtraLarge];

    /// The macro that selects this size: `"MINI_DATASET"`.
    pub fn macro_name(self) -> &'static str {
        match self {
            Dataset::Mini => "MINI_DATASET",
            Dataset::Small => "SMALL_DATASET",
            Dataset::Medium => "MEDIUM_DATASET",
            Dataset::Large => "LARGE_DATASET",
            Dataset::ExtraLarge => "EXTRALARGE_DATASET",
        }
    }

    /// The compiler argument that selects this size: `"-DMINI_DATASET"`.
    pub fn define(self) -> String {
        format!("-D{}", self.macro_name())
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::DataMining => "datamining",
            Category::Blas => "linear-algebra/blas",
            Category::LinearAlgebra => "linear-algebra/kernels",
            Category::Solver => "linear-algebra/solvers",
            Category::Medley => "medley",
            Category::Stencil => "stencils",
        })
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Kernel {
    /// The C file: `kernels/gemm/gemm.c`.
    pub fn source_path(&self) -> PathBuf {
        self.folder().join(format!("{}.c", self.name))
    }

    /// The folder of the C file and its header.
    pub fn folder(&self) -> PathBuf {
        root().join(self.name)
    }

    /// What a compiler needs as `-I`: the folder of `polybench.h`, then the kernel's own.
    pub fn include_dirs(&self) -> [PathBuf; 2] {
        [root(), self.folder()]
    }

    /// The arguments for a compiler or preprocessor: `-I` for each of [`Kernel::include_dirs`], and the size.
    pub fn cpp_arguments(&self, dataset: Dataset) -> Vec<String> {
        let mut arguments: Vec<String> = self.include_dirs().iter().map(|dir| format!("-I{}", dir.display())).collect();
        arguments.push(dataset.define());
        arguments
    }

    /// The text of the C file.
    ///
    /// # Panics
    /// When the file is missing, which means that the checkout is incomplete.
    pub fn source(&self) -> String {
        let path = self.source_path();
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The name of the function around the region: `kernel_jacobi_1d`.
    pub fn function(&self) -> String {
        format!("kernel_{}", self.name.replace('-', "_"))
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// All thirty kernels, sorted by name.
///
/// ```
/// use loopwright_polybench_tests::kernels;
/// assert_eq!(kernels().len(), 30);
/// assert!(kernels().is_sorted_by_key(|k| k.name));
/// assert!(kernels()[7].source().contains("#pragma scop"));
/// ```
pub fn kernels() -> &'static [Kernel] {
    &KERNELS
}

/// The kernel of that name.
///
/// ```
/// use loopwright_polybench_tests::{Category, kernel};
/// assert_eq!(kernel("gemm").unwrap().category, Category::Blas);
/// assert_eq!(kernel("gem"), None);
/// ```
pub fn kernel(name: &str) -> Option<&'static Kernel> {
    KERNELS.iter().find(|k| k.name == name)
}

const fn entry(name: &'static str, category: Category) -> Kernel {
    Kernel { name, category }
}

static KERNELS: [Kernel; 30] = [
    entry("2mm", Category::LinearAlgebra),
    entry("3mm", Category::LinearAlgebra),
    entry("adi", Category::Stencil),
    entry("atax", Category::LinearAlgebra),
    entry("bicg", Category::LinearAlgebra),
    entry("cholesky", Category::Solver),
    entry("correlation", Category::DataMining),
    entry("covariance", Category::DataMining),
    entry("deriche", Category::Medley),
    entry("doitgen", Category::LinearAlgebra),
    entry("durbin", Category::Solver),
    entry("fdtd-2d", Category::Stencil),
    entry("floyd-warshall", Category::Medley),
    entry("gemm", Category::Blas),
    entry("gemver", Category::Blas),
    entry("gesummv", Category::Blas),
    entry("gramschmidt", Category::Solver),
    entry("heat-3d", Category::Stencil),
    entry("jacobi-1d", Category::Stencil),
    entry("jacobi-2d", Category::Stencil),
    entry("lu", Category::Solver),
    entry("ludcmp", Category::Solver),
    entry("mvt", Category::LinearAlgebra),
    entry("nussinov", Category::Medley),
    entry("seidel-2d", Category::Stencil),
    entry("symm", Category::Blas),
    entry("syr2k", Category::Blas),
    entry("syrk", Category::Blas),
    entry("trisolv", Category::Solver),
    entry("trmm", Category::Blas),
];
