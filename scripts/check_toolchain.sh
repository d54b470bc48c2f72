#!/bin/sh
# Looks for what sixplane needs and cannot fetch itself: Rust, a linker, Python.
# Prints the Python to use on stdout; says everything that is missing on stderr and exits with 1.
# PYTHON=/path/to/python chooses the interpreter; otherwise the first good one on the PATH is taken.
# With the argument `lint` it looks for rustfmt and clippy too, which some installations of Rust leave out.

rust_needed=1.85
python_needed=3.11
missing=0

complain() {
    echo "sixplane: $1" >&2
    missing=1
}

# at_least HAVE WANT: compares major.minor.
at_least() {
    have_major=${1%%.*}; have_rest=${1#*.}; have_minor=${have_rest%%.*}
    want_major=${2%%.*}; want_minor=${2#*.}
    [ "$have_major" -gt "$want_major" ] ||
        { [ "$have_major" -eq "$want_major" ] && [ "$have_minor" -ge "$want_minor" ]; }
}

for tool in rustc cargo; do
    if ! version=$("$tool" --version 2>/dev/null); then
        complain "$tool is missing; install Rust $rust_needed or newer (https://rustup.rs)"
    else
        version=${version#* }
        at_least "${version%% *}" "$rust_needed" ||
            complain "$tool ${version%% *} is too old; sixplane needs Rust $rust_needed or newer (rustup update)"
    fi
done

if [ "${1:-}" = lint ]; then
    for component in fmt clippy; do
        cargo "$component" --version >/dev/null 2>&1 ||
            complain "cargo $component is missing; rustup component add rustfmt clippy"
    done
fi

# Rust links with the C compiler driver of the system.
command -v "${CC:-cc}" >/dev/null 2>&1 ||
    complain "${CC:-cc} is missing; Rust needs a linker (Debian and Ubuntu: apt-get install gcc libc6-dev)"

# Says in one word what a Python lacks; says "good" when nothing.
judge='
import sys
if sys.version_info[:2] < (3, 11):
    print("old")
elif sys.implementation.name != "cpython":
    print("other")
else:
    try:
        import ensurepip, venv
        print("good")
    except ImportError:
        print("novenv")
'
chosen=
found=
for python in ${PYTHON:-python3 python3.15 python3.14 python3.13 python3.12 python3.11 python}; do
    verdict=$("$python" -c "$judge" 2>/dev/null) || continue
    path=$("$python" -c 'import sys; print(sys.executable)')
    case $verdict in
        good) chosen=$path; break ;;
        old) found="$found; $python is $("$python" -c 'import platform; print(platform.python_version())')" ;;
        other) found="$found; $python is not CPython" ;;
        novenv) found="$found; $python lacks the venv module (Debian and Ubuntu: apt-get install python3-venv)" ;;
    esac
done
if [ -z "$chosen" ]; then
    complain "no usable Python: sixplane needs CPython $python_needed or newer with venv${found:-; none of ${PYTHON:-python3 or python} runs}"
fi

[ "$missing" -eq 0 ] || exit 1
echo "$chosen"
