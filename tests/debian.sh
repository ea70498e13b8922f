# What the checks in a Debian of their own share; they source it, and it does nothing by itself.

wrong() { echo "WRONG: $*" >&2; exit 1; }

# settings_into ROOT: that Debian reaches names and packages as this machine does.
settings_into() {
  for settings in /etc/resolv.conf /etc/hosts /etc/pip.conf ${PIP_CERT:-}; do
    if [ -e "$settings" ]; then mkdir -p "$1$(dirname "$settings")"; cp -L "$settings" "$1$settings"; fi
  done
}

# inside ROOT SCRIPT [WORD…]: run a script that lies in that Debian, without booting it. Nothing stays mounted.
inside() {
  unshare --mount --pid --fork sh -eu -c '
    root=$1; shift
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -u PIP_FIND_LINKS -u PYTHONPATH -u PYTHON /bin/sh "$@"' sh "$@"
}

# boot ROOT: boot it without a network. /srv/witness.sh there runs last, and writes /srv/witness.txt; it is shown.
boot() {
  unit=/etc/systemd/system/witness.service
  wanted=/etc/systemd/system/multi-user.target.wants/witness.service
  printf '[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nExecStart=/bin/sh /srv/witness.sh\n' > "$1$unit"
  ln -s ../witness.service "$1$wanted"
  rm -f "$1/srv/witness.txt"
  timeout 400 systemd-nspawn --quiet --register=no --keep-unit --console=pipe --private-network --boot \
    --directory="$1" < /dev/null > /dev/null 2>&1 || true
  rm "$1$unit" "$1$wanted"
  cat "$1/srv/witness.txt" 2> /dev/null || wrong "it did not boot"
}

# booted_to_a_table ROOT: boot it, and the table of its settings is open, without a restart, and says what it lacks.
booted_to_a_table() {
  # No Pi's pins and no hub here: a table with the sensors of a hub that is not plugged in yet must open all the same.
  python3 "$project/tests/sensors_only.py" "$1/etc/hextraction/wiring.toml"
  cat > "$1/srv/witness.sh" <<'STEPS'
for second in $(seq 120); do
  [ "$(systemctl is-active hextraction)" != active ] || break
  sleep 1
done
sleep 15 # longer than its watchdog waits
{
  systemctl is-active hextraction
  systemctl show hextraction --property=NRestarts --property=FragmentPath
  python3 - <<'HEALTH'
import urllib.error, urllib.request
try:
    print(urllib.request.urlopen("http://127.0.0.1:8080/health").read().decode())
except urllib.error.HTTPError as told:
    print(told.code, told.read().decode())
HEALTH
  echo "warnings: $(journalctl -u hextraction -b --no-pager --output=cat -p warning | grep -c ' WARNING ')"
  echo "above info: $(journalctl -u hextraction -b --no-pager --output=cat -p notice | grep -c ' INFO ')"
  journalctl -u hextraction -b --no-pager | grep -v ' lost '
} > /srv/witness.txt 2>&1
systemctl poweroff
STEPS
  boot "$1"
  [ "$(head -n 1 "$1/srv/witness.txt")" = active ] || wrong "the service is not active"
  grep -qx NRestarts=0 "$1/srv/witness.txt" || wrong "the service was started again"
  grep -Eqx 'warnings: [1-9][0-9]*' "$1/srv/witness.txt" || wrong "warnings are no warnings to the journal"
  grep -qx 'above info: 0' "$1/srv/witness.txt" || wrong "what is usual is more to the journal"
  grep -q '"broker":"' "$1/srv/witness.txt" || wrong "no word of the broker"
  ! grep -q '"broker":"none"' "$1/srv/witness.txt" || wrong "no broker: no phone could join"
}
