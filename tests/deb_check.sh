#!/bin/sh
# The Debian package in a Debian 12 and a 13 of its own below a temporary folder (about ten minutes; needs root,
# mmdebstrap, systemd-container and a Debian mirror): a lower version installed with apt, upgraded with dpkg -i, a demo
# game played to its end, the service booted, removed, purged; then no file is left but what apt itself keeps.
# PACKAGE=FILE tries that one instead of the one in dist/; SUITES="bookworm" tries one Debian only. ARCH=arm64 tries a
# Pi's, with qemu-user-static; all but the boot, as an init cannot be emulated that way.
# Nothing of this machine is touched and nothing stays mounted.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$project/tests/debian.sh"
here=$(dpkg --print-architecture)
arch=${ARCH:-$here}
package=${PACKAGE:-$(ls "$project"/dist/hextraction_*_"$arch".deb 2> /dev/null)} || true
[ -e "$package" ] || wrong "no package: make deb"
mkdir "$work/packages"
cp "$package" "$work/packages/new.deb"
# The version before: the same but for its number.
dpkg-deb -R "$package" "$work/lower"
sed -i 's/^Version: .*/Version: 0.9/' "$work/lower/DEBIAN/control"
dpkg-deb --root-owner-group -Zxz -z0 --build "$work/lower" "$work/packages/lower.deb" > /dev/null
rm -rf "$work/lower"

cat > "$work/before.sh" <<'STEPS'
set -eu
wrong() { echo "WRONG: $*" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive HOME=/root
files() { find / -xdev ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path '/srv/*' ! -path '/tmp/*' | sort; }
# What apt brings along stays when the package goes: it is there before, so that the lists can be compared.
apt-get update -qq
apt-get install -y -qq --no-install-recommends python3 mosquitto libstdc++6 zlib1g > /srv/apt.log 2>&1
mkdir -p /etc/avahi/services   # as if Avahi were here: nothing of it but the record that it would read
sed 's/:[^:]*$//' /etc/group | sort > /srv/groups.before
cut -d : -f 1 /etc/passwd | sort > /srv/users.before
files > /srv/files.before

mv /etc/apt/sources.list* /srv/ 2> /dev/null || true   # nothing is fetched from here on
apt-get install -y -qq --no-install-recommends /srv/packages/lower.deb > /srv/apt.log 2>&1 || { cat /srv/apt.log; wrong "apt install"; }
grep -q 'on your phone, or: sudo hextraction install --build NAME' /srv/apt.log || wrong "it does not say what to do next"
[ -e /usr/share/bash-completion/completions/hextraction ] || wrong "nothing completes the command"
[ "$(systemctl is-enabled hextraction-setup)" = enabled ] || wrong "no first page at the next boot"
# What the first page does when it is sent: its own door is the service's, which a chroot cannot start.
(hextraction setup --folder /tmp/first --port 8099 > /srv/setup.txt 2>&1; echo "ended with $?" >> /srv/setup.txt) &
for second in $(seq 60); do grep -q http:// /srv/setup.txt && break; sleep 1; done
python3 - <<'FORM'
import re, urllib.parse, urllib.request
page = urllib.request.urlopen("http://127.0.0.1:8099/").read().decode()
key = re.search('name="key" value="([^"]+)"', page)[1]
form = {"key": key, "build": "hub-rich", "name": "den", "code": "K7PMWQ2X"}
said = urllib.request.urlopen("http://127.0.0.1:8099/", urllib.parse.urlencode(form).encode()).read().decode()
assert "Your board is set up" in said, said
FORM
wait
grep -q 'ended with 0' /srv/setup.txt || { cat /srv/setup.txt; wrong "the first page"; }
hextraction check /tmp/first/hextraction.toml || wrong "the settings of the first page"
rm -r /tmp/first
hextraction install --build hub-rich
echo '# mine' >> /etc/hextraction/hextraction.toml
mkdir -p /var/lib/hextraction && echo games > /var/lib/hextraction/games.kept
dpkg -i /srv/packages/new.deb > /srv/apt.log 2>&1 || { cat /srv/apt.log; wrong "dpkg -i"; }
[ "$(hextraction --version)" = "hextraction $1" ] || wrong "$(hextraction --version), want $1"
[ "$(dpkg-query -W -f '${Status}' hextraction)" = "install ok installed" ] || wrong "not installed"
[ "$(tail -n 1 /etc/hextraction/hextraction.toml)" = '# mine' ] || wrong "settings lost"
[ "$(cat /var/lib/hextraction/games.kept)" = games ] || wrong "games lost"
[ "$(stat --format=%U:%G:%a /etc/hextraction)" = root:hextraction:750 ] || wrong "rights of the settings"
id hextraction | grep -q gpio || wrong "the service's user has no pins"
[ "$(systemctl is-enabled hextraction)" = enabled ] || wrong "not enabled"
[ ! -e /etc/systemd/system/hextraction.service ] || wrong "a unit in /etc hides the package's"
systemd-analyze verify --man=no /usr/lib/systemd/system/hextraction.service || wrong "the unit"
[ -z "$(dpkg --verify hextraction)" ] || wrong "files are not the package's"
cd /tmp
hextraction demo --games 1 --speed 0 --seed 7 --port 0 --host 127.0.0.1 | tee /srv/said
grep -q '^Game demo-.* wins' /srv/said || wrong "no game was played to its end"
hextraction export | grep -q wins || wrong "the game is not in the journal"
rm -rf /root/.local
STEPS

cat > "$work/after.sh" <<'STEPS'
set -eu
wrong() { echo "WRONG: $*" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
files() { find / -xdev ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path '/srv/*' ! -path '/tmp/*' | sort; }
apt-get remove -y -qq hextraction > /srv/apt.log 2>&1 || { cat /srv/apt.log; wrong "apt remove"; }
[ ! -e /usr/lib/hextraction ] || wrong "left: $(find /usr/lib/hextraction | head -n 5)"
[ "$(tail -n 1 /etc/hextraction/hextraction.toml)" = '# mine' ] || wrong "settings gone without a word"
[ "$(cat /var/lib/hextraction/games.kept)" = games ] || wrong "games gone without a word"
apt-get purge -y -qq hextraction > /srv/apt.log 2>&1 || { cat /srv/apt.log; wrong "apt purge"; }
files > /srv/files.after
sed 's/:[^:]*$//' /etc/group | sort | diff /srv/groups.before - || wrong "other groups than before"
cut -d : -f 1 /etc/passwd | sort | diff /srv/users.before - || wrong "other users than before"
# What a boot, apt and the backups of passwd leave has no part of ours in it.
left=$(comm -13 /srv/files.before /srv/files.after | grep -Ev '^/(var/log|var/cache|var/lib/(apt|systemd|dbus|private|mosquitto)|var/tmp|run|etc/(passwd|group|shadow|gshadow)-|(etc|var)/\.updated|etc/machine-id|root/\.)' || true)
[ -z "$left" ] || wrong "left: $left"
ours=$(find / -xdev -iname '*hextraction*' ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path '/srv/*')
[ -z "$ours" ] || wrong "left: $ours"
gone=$(comm -23 /srv/files.before /srv/files.after | grep -Ev '^/(var/(log|cache|tmp)|var/lib/(apt|systemd)|run|etc/apt/|tmp)' || true)
[ -z "$gone" ] || wrong "gone, though not ours: $gone"
STEPS

version=$(dpkg-deb --field "$package" Version)
for suite in ${SUITES:-bookworm trixie}; do
  root="$work/$suite"
  echo "making a Debian $suite…"
  mmdebstrap --quiet --architectures="$arch" --variant=minbase \
    --include=ca-certificates,systemd,systemd-sysv,dbus,udev "$suite" "$root"
  settings_into "$root"
  cp -r "$work/packages" "$work"/*.sh "$root/srv/"
  inside "$root" /srv/before.sh "$version"

  if [ "$arch" = "$here" ]; then
    # Somebody gives the table another name: the network's list of pages has it from the next start on.
    sed -i 's/^id = .*/id = "den"/' "$root/etc/hextraction/hextraction.toml"
    echo "booting it…"
    booted_to_a_table "$root"
    grep -q 'Hextraction, den on %h' "$root/etc/avahi/services/hextraction.service" || wrong "announced by its former name"
    booted="booted, "
  fi
  inside "$root" /srv/after.sh
  echo "Debian $suite for $arch: installed without a network, upgraded, played, ${booted:-}removed and purged: nothing is left"
  rm -rf "$root"
done
