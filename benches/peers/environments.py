"""Environments of the peers: Python packages from PyPI, each in a folder of its own."""
import os
import subprocess
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
FOLDER = os.path.join(TARGET, "peers")


def environment(folder, package):
    """The Python of an environment that has the package."""
    folder = os.path.join(folder, package)
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        venv.create(folder, with_pip=True)
    if subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)
    return python
