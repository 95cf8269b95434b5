#!/usr/bin/env bash
# environment.sh FOLDER: make a virtual environment with the first suitable Python.
#
# The system's Python is preferred: distributions build it with profile-guided optimisation, which
# makes the server about 15% faster than most version managers' builds. PYTHON=... names another.
set -euo pipefail

folder=$1
[ ! -x "$folder/bin/python" ] || exit 0

suits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null
}

has_pip() {
    "$1" -c 'import ensurepip' 2>/dev/null
}

# Print the first Python that suits and can install pip, or else the first that suits.
find_python() {
    local python second=
    for python in /usr/bin/python3 python3 python3.13 python3.12 python3.11 python3.14 python; do
        suits "$python" || continue
        if has_pip "$python"; then
            echo "$python"
            return
        fi
        second=${second:-$python}
    done
    echo "$second"
}

# Debian and Ubuntu keep ensurepip in a package of its own.
install_venv_module() {
    local package root=()
    package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if ! command -v apt-get >/dev/null; then
        return
    elif [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || return 0
        root=(sudo -n)
    fi
    echo "Python has no venv module: installing $package with apt-get."
    ${root[@]+"${root[@]}"} apt-get update -q
    ${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$package"
}

python=${PYTHON:-$(find_python)}
if [ -z "$python" ] || ! suits "$python"; then
    echo "Veillée needs Python 3.11 to 3.14, and ${PYTHON:-none} was found. Install one from" >&2
    echo "python.org or your system's packages, or name one: make PYTHON=/path/to/python3 ..." >&2
    exit 1
fi
has_pip "$python" || install_venv_module "$python"
echo "Making a virtual environment in $folder with $("$python" --version)."
"$python" -m venv "$folder" || {
    rm -rf "$folder"
    echo "The venv module of $python does not work. On Debian and Ubuntu: apt install python3-venv" >&2
    exit 1
}
