#!/bin/sh
# Build the image of the Containerfile and play in it (needs root, buildah, mmdebstrap and a Debian mirror; five minutes).
# Its base is made here and not fetched: a Debian of the same name, so that a machine without a registry can do it too.
# What it builds lies below a temporary folder; nothing of it is left.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
wrong() { echo "WRONG: $*" >&2; exit 1; }
b() { buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"; }
trap 'b rm --all > /dev/null 2>&1 || true; rm -rf "$work"' EXIT
base=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$project/Containerfile" | sort -u)
suite=$(echo "$base" | sed 's/.*:\(.*\)-slim/\1/')

echo "making $base…"
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/base"
for settings in /etc/pip.conf ${PIP_CERT:-}; do
  if [ -e "$settings" ]; then mkdir -p "$work/base$(dirname "$settings")"; cp -L "$settings" "$work/base$settings"; fi
done
made=$(b from scratch)
b copy --quiet "$made" "$work/base" / > /dev/null
b commit --quiet "$made" "$base" > /dev/null
b rm "$made" > /dev/null
rm -rf "$work/base"

b build --quiet --pull-never --isolation chroot --network host --file "$project/Containerfile" --tag hextraction "$project"
ours=$(b from --pull-never hextraction)
inside() { b run --isolation chroot --network host "$ours" -- "$@"; }
[ "$(inside id -un)" = player ] || wrong "it runs as $(inside id -un)"
inside hextraction --version
inside hextraction demo --games 1 --speed 0 --seed 7 --port 0 --host 127.0.0.1 --journal /games/demo.db > "$work/said"
grep '^Game demo-.* wins' "$work/said" || wrong "no game was played to its end"
# What the image starts by itself, but for the port, which may be taken here.
command=$(b inspect "$ours" | python3 -c 'import json, sys; one = json.load(sys.stdin)["OCIv1"]["config"]; print(*one["Entrypoint"], *one["Cmd"])')
echo "it starts: $command"
inside $command --host 127.0.0.1 --port 0 --exit-when-ready > "$work/said" 2>&1 || { cat "$work/said"; wrong "no table"; }
grep -q 'The table is open at' "$work/said" || { cat "$work/said"; wrong "no table"; }
echo "built, played, and a table without electronics opens"
