#!/bin/sh
# What a release leads to on a machine that has never seen it: a Debian 12 and a 13 of its own below a temporary folder
# (about twenty minutes; needs root, mmdebstrap, a Debian mirror, and the indexes of pip and npm). The wheel comes from an
# index of its own, is installed by pipx, plays a demo game to its end, becomes the service, and all of it goes without a
# trace. Before that the README's first command does as much in a copy of the repository; at the end its second one
# installs what tests drive, and a test of each such program is run.
# SUITES="bookworm" tries one only. Nothing of this machine is touched and nothing stays mounted.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
. "$project/tests/debian.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$project"
${PYTHON:-.venv/bin/python} -m release.dist --out "$work/dist"
# An index as pip knows them: a page for each name, with a link for each file.
mkdir -p "$work/index/hextraction"
cp "$work"/dist/*.whl "$work"/dist/*.tar.gz "$work/index/hextraction/"
(cd "$work/index/hextraction" && for file in *; do echo "<a href=\"$file\">$file</a><br>"; done > "$work/index.html")
mv "$work/index.html" "$work/index/hextraction/index.html"

cat > "$work/check.sh" <<'STEPS'
set -eu
wrong() { echo "WRONG: $*" >&2; exit 1; }
traces() { find / -xdev -iname '*hextraction*' -not -path '/srv/*' -not -path '/proc/*' -not -path '/sys/*' -not -path '/dev/*'; }
export HOME=/root
cd /srv/checkout
make demo ARGS="--games 1 --speed 0 --seed 7 --port 0 --host 127.0.0.1" > /srv/said 2>&1 || { tail -n 30 /srv/said; wrong "make demo"; }
grep '^Game demo-.* wins' /srv/said || wrong "make demo played no game to its end"
cd / && rm -r /root/.local/state/hextraction
echo "make demo: a game to its end"

export PATH="/root/.local/bin:$PATH" PIP_EXTRA_INDEX_URL=file:///srv/index
pipx install --verbose 'hextraction[sim]' > /srv/pipx.log 2>&1 || { tail -n 30 /srv/pipx.log; wrong "pipx"; }
[ "$(hextraction --version)" = "hextraction $1" ] || wrong "$(hextraction --version), want $1"
cd /tmp
hextraction demo --games 1 --speed 0 --seed 7 --port 0 --host 127.0.0.1 | tee /srv/said
grep -q '^Game demo-.* wins' /srv/said || wrong "no game was played to its end"
hextraction export | grep -q wins || wrong "the game is not in the journal"
hextraction wiring hub-lean && hextraction check hub-lean.toml || wrong "no wiring without a checkout"

"$(command -v hextraction)" install --build hub-rich > /srv/install.log 2>&1 || { cat /srv/install.log; wrong "install"; }
[ "$(/usr/local/bin/hextraction --version)" = "hextraction $1" ] || wrong "the service has another version"
/usr/local/bin/hextraction check /etc/hextraction/hextraction.toml
[ "$(systemctl is-enabled hextraction)" = enabled ] || wrong "not enabled"
"$(command -v hextraction)" install > /srv/install.log 2>&1 || { cat /srv/install.log; wrong "install again"; }
/usr/local/bin/hextraction rollback > /dev/null
"$(command -v hextraction)" uninstall --purge > /dev/null
! id hextraction 2> /dev/null || wrong "the service's user is still there"

pipx uninstall hextraction > /dev/null
rm -r /root/.local/state/hextraction /tmp/hub-lean /tmp/hub-lean.toml
left=$(traces)
[ -z "$left" ] || wrong "left: $left"
echo "pipx: installed, played, made the service, gone without a trace"

# Last, as a compiler that is there could build what pipx has no wheel for.
unset PIP_EXTRA_INDEX_URL
cd /srv/checkout
tests="tests/hardware/test_claims.py tests/firmware/test_logic.py tests/firmware/test_release.py tests/page/test_connection.py tests/page/test_files.py"
one_each="known_circuit or fuzzer or same_bytes or joining_keeps or every_script_parses"   # ngspice, clang, ARM, chromium, node
make test STRICT=1 ARGS="$tests -k '$one_each'" > /srv/said 2>&1 || { tail -n 50 /srv/said; wrong "make test"; }
[ "$(grep -cE '^=+ [23] passed' /srv/said)" = 2 ] && ! grep -q skipped /srv/said || { tail -n 50 /srv/said; wrong "make test left out a test"; }
echo "make test: its programs are there, and a test of each is green"
STEPS

version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml | head -n 1)
for suite in ${SUITES:-bookworm trixie}; do
  root="$work/$suite"
  echo "making a Debian $suite…"
  mmdebstrap --quiet --variant=minbase \
    --include=ca-certificates,make,python3,python3-venv,pipx,mosquitto,systemd,udev "$suite" "$root"
  settings_into "$root"
  cp -r "$work/index" "$work/dist" "$work/check.sh" "$root/srv/"
  mkdir "$root/srv/checkout"
  git ls-files -z | tar cf - --null -T - | tar xf - -C "$root/srv/checkout"
  inside "$root" /srv/check.sh "$version"
  rm -rf "$root"
done
