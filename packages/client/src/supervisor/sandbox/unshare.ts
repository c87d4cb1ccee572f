import type { SandboxMount, SandboxPlan } from './sandbox-plan.js';

/**
 * Builds the view of the program in namespaces of its own and runs it without any capability. The shell stays as the
 * first process: it collects the ended ones, and with it everything ends. A step that fails ends all of it.
 */
const script = `
set -eu
fail() { echo "sandbox: $1" >&2; exit 125; }
root=$1 cwd=$2 program_path=\${PATH-}
shift 2
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o mode=0755,nosuid,nodev plugboard "$root" || fail "no file system in memory"
# Read-only or not: a bind mount takes over the flags of its source, so they are set afterwards, mount by mount.
seal() {
  found=
  while read -r _ _ _ _ point _; do
    case $point in *\\\\*) point=$(printf '%b' "$point") ;; esac
    case $point in
      "$2" | "$2"/*)
        mount -o "remount,bind,$1" "$point" 2>/dev/null ||
          mount -o "remount,bind,$1,noexec" "$point" || fail "cannot restrict \${point#"$root"}"
        found=1
        ;;
    esac
  done </proc/self/mountinfo
  [ -n "$found" ] || fail "cannot restrict \${2#"$root"}"
}
bind() {
  if [ -d "$1" ]; then
    [ -d "$root$2" ] || mkdir -p "$root$2"
  else
    [ -d "$root\${2%/*}" ] || mkdir -p "$root\${2%/*}"
    [ -e "$root$2" ] || : >"$root$2"
  fi
  mount --rbind "$1" "$root$2" || fail "cannot show $2"
}
for name in null zero full random urandom tty; do bind "/dev/$name" "/dev/$name"; done
for name in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do ln -s "/proc/self/\${name#*:}" "$root/dev/\${name%%:*}"; done
mkdir "$root/proc" "$root/dev/shm"
mount -t tmpfs -o mode=1777,nosuid,nodev plugboard "$root/dev/shm"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc" || fail "no /proc of its own"
# Files of root, which a program that root started could change although it has no capability left.
for name in bus fs irq sys sysrq-trigger; do
  [ -e "$root/proc/$name" ] || continue
  mount --bind "$root/proc/$name" "$root/proc/$name" && seal ro,nosuid,nodev,noexec "$root/proc/$name"
done
while [ "$1" != -- ]; do
  case $1 in
    ro) bind "$2" "$3"; seal ro,nosuid,nodev "$root$3" ;;
    rw) bind "$2" "$3"; seal nosuid,nodev "$root$3" ;;
    blank) mount --bind /dev/null "$root$3" || fail "cannot hide $3" ;;
    link) mkdir -p "$root\${3%/*}"; ln -s "$2" "$root$3" ;;
    dir) mkdir -p "$root$3" ;;
    empty) mkdir -p "$root$3"; mount -t tmpfs -o "mode=$2,nosuid,nodev" plugboard "$root$3" || fail "cannot empty $3" ;;
    *) fail "unknown step $1" ;;
  esac
  shift 3
done
shift
mkdir "$root/.host"
cd "$root"
pivot_root . .host || fail "cannot leave the file system of the machine"
cd /
umount -l /.host || fail "cannot leave the file system of the machine"
rmdir /.host
while [ "$1" != -- ]; do mount -o remount,ro,nosuid,nodev "$1" || fail "cannot restrict $1"; shift; done
shift
mount -o remount,ro,nosuid,nodev / || fail "cannot restrict /"
ip link set lo up 2>/dev/null || :
cd "$cwd" || fail "no directory $cwd"
PATH=$program_path
status=0
/usr/bin/setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- "$@" || status=$?
exit "$status"
`;

const steps = (mount: SandboxMount): readonly string[] => {
  switch (mount.kind) {
    case 'bind':
      return [mount.writable ? 'rw' : 'ro', mount.source, mount.target];
    case 'link':
      return ['link', mount.to, mount.target];
    case 'empty':
      return ['empty', mount.writable ? '0700' : '0755', mount.target];
    case 'blank':
      return ['blank', '', mount.target];
    case 'directory':
      return ['dir', '', mount.target];
    default:
      return mount satisfies never;
  }
};

/** The arguments of unshare (util-linux). `root`: an empty directory on which the view is built, unseen by others. */
export const unshareArguments = (
  { mounts, network, cwd, program, args }: SandboxPlan,
  root: string,
): readonly string[] => [
  '--user',
  '--map-current-user',
  '--keep-caps',
  '--mount',
  '--ipc',
  '--uts',
  '--cgroup',
  '--pid',
  '--fork',
  '--kill-child',
  ...(network ? [] : ['--net']),
  '--',
  '/bin/sh',
  '-c',
  script,
  'sandbox',
  root,
  cwd,
  ...mounts.flatMap(steps),
  '--',
  ...mounts.flatMap((mount) => (mount.kind === 'empty' && !mount.writable ? [mount.target] : [])),
  '--',
  program,
  ...args,
];
