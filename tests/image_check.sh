#!/bin/sh
# Prepare an image with `install --root` and boot it (about three minutes; needs root, mmdebstrap, systemd-container
# and a Debian mirror). ARCH=arm64 prepares one for a Pi, with qemu-user-static; it is checked but not booted, as an
# init cannot be emulated that way. Nothing of this machine is touched.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
here=$(dpkg --print-architecture)
arch=${ARCH:-$here}
image=$(mktemp -d)
trap 'rm -rf "$image"' EXIT
. "$project/tests/debian.sh"
at() { systemd-nspawn --quiet --pipe --register=no --keep-unit --directory="$image" "$@"; }

echo "making a Debian 13 for $arch…"
mmdebstrap --quiet --architectures="$arch" --variant=minbase \
  --include=ca-certificates,python3,python3-venv,systemd,systemd-sysv,dbus,udev trixie "$image"
settings_into "$image"
mkdir -p "$image/boot/firmware" && touch "$image/boot/firmware/config.txt"

cd "$project"
if [ "$arch" = "$here" ]; then model=""; else model="Raspberry Pi 4"; fi
python3 -B -m systemd.install install --root "$image" --build hub-rich --club ${model:+--model "$model"}

at /usr/local/bin/hextraction --version
at /usr/local/bin/hextraction check /etc/hextraction/hextraction.toml
for owned in "/etc/hextraction root:hextraction:750" "/etc/hextraction/hextraction.toml root:hextraction:640" \
  "/etc/hextraction/broker.secret root:hextraction:640" "/var/lib/mosquitto/hextraction-security.json mosquitto:mosquitto:600"; do
  set -- $owned
  found=$(at stat --format=%U:%G:%a "$1")
  [ "$found" = "$2" ] || wrong "$1: want $2, found $found"
done
at systemctl is-enabled hextraction || wrong "not enabled"
[ -z "$model" ] || grep -q dtparam=spi=on "$image/boot/firmware/config.txt" || wrong "no boot lines"
[ ! -e "$image/opt/hextraction/source" ] || wrong "the sources were left in the image"
if [ "$arch" != "$here" ]; then echo "an image for $arch: prepared; its programs run"; exit 0; fi

sed -i 's/^port = 8080/port = 8080\nhost = "127.0.0.1"/' "$image/etc/hextraction/hextraction.toml"
echo "booting it…"
booted_to_a_table "$image"

# Without settings the first page stands in: it is sent, and the table opens by it.
rm "$image/etc/hextraction/hextraction.toml" "$image/etc/hextraction/wiring.toml"
cat > "$image/srv/witness.sh" <<'STEPS'
{
  python3 - <<'FORM'
import re, time, urllib.error, urllib.parse, urllib.request
def ask(path, fields=None):
    body = urllib.parse.urlencode(fields).encode() if fields else None
    for _second in range(120):
        try:
            return urllib.request.urlopen("http://127.0.0.1:8080" + path, body).read().decode()
        except urllib.error.HTTPError as told:
            return f"{told.code} {told.read().decode()}"
        except OSError:
            time.sleep(1)
    return "nobody answers"
page = ask("/")
print("first page:", "What did you build?" in page)
key = re.search('name="key" value="([^"]+)"', page)[1]
print("sent:", "Your board is set up" in ask("/", {"key": key, "build": "none", "name": "den", "code": "K7PMWQ2X"}))
time.sleep(15)
print("table:", "broker" in ask("/health"))
FORM
  echo "after it: $(systemctl is-active hextraction hextraction-setup | xargs)"
  echo "rights: $(stat --format=%U:%G:%a /etc/hextraction/hextraction.toml)"
  journalctl -u hextraction -u hextraction-setup -b --no-pager
} > /srv/witness.txt 2>&1
systemctl poweroff
STEPS
echo "booting it without settings…"
boot "$image"
for told in 'first page: True' 'sent: True' 'table: True' 'after it: active inactive' 'rights: root:hextraction:640'; do
  grep -qx "$told" "$image/srv/witness.txt" || wrong "want $told"
done
echo "prepared, booted, and the table is open; without settings the first page opened it"
