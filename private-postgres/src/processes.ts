// Looks at the machine's processes: when one started, and which belong to a cluster. Only reads; it signals nobody.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'

export interface ClusterProcess {
  pid: number
  isPostmaster: boolean
}

/** `ps` answers in milliseconds; PowerShell may need seconds to load. */
const LIST_MS_MAX = 20_000

/** Room for the command lines of a busy machine. */
const LIST_BYTES_MAX = 32 * 1024 * 1024

/**
 * Returns a text that differs between two processes with the same id, or undefined if there is no such process.
 * The start time alone is not enough on Linux: it counts from boot, and a container's first numbers repeat.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid)
  const text =
    process.platform === 'win32'
      ? list('powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`])
      : list('ps', ['-o', 'lstart=', '-p', String(pid)])
  return text.trim() || undefined
}

function startOnLinux(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The second field is the program's name in brackets and may hold anything; the third is the state, the 22nd the start.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  const [state, start] = [fields[0], fields[19]]
  if (start === undefined || state === 'Z' || state === 'X') return undefined
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${start}`
}

/** Whether a command line has the name of any cluster of the program. */
export function namesCluster(command: string, name: string): boolean {
  return [...command.matchAll(/[=\s]([a-z]+)-\d+-\d+[:\s]/g)].some(([, found]) => found === name)
}

/**
 * The name that PostgreSQL gives all its processes of one cluster (`cluster_name`). It can be read in the process list
 * by anybody, unlike a process's working directory, which root in a container without CAP_SYS_PTRACE may not read.
 */
export function clusterName(cluster: string, name: string): string {
  const { dev, ino } = statSync(cluster, { bigint: true })
  return `${name}-${dev}-${ino}`
}

/** Ignores processes of other accounts, because anyone can use the same name. */
export function findClusterProcesses(cluster: string, program: string): ClusterProcess[] {
  const name = clusterName(cluster, program)
  const owner = statSync(cluster).uid
  const all = process.platform === 'linux' ? listOnLinux() : listByPs()
  return all
    .filter(({ uid, command }) => uid === owner && (command.includes(`=${name} `) || command.includes(`: ${name}: `)))
    .map(({ pid, command }) => ({ pid, isPostmaster: command.includes(`=${name} `) }))
}

/** Undefined when there is no such process. */
export function commandOf(pid: number): string | undefined {
  if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ')
  return list('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).trim() || undefined
}

interface Listed {
  pid: number
  uid: number
  command: string
}

function listOnLinux(): Listed[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const pid = Number(entry)
    const uid = statSync(`/proc/${entry}`, { throwIfNoEntry: false })?.uid
    const command = commandOf(pid)
    return uid === undefined || !command ? [] : [{ pid, uid, command: `${command} ` }]
  })
}

function listByPs(): Listed[] {
  return list('ps', ['-axww', '-o', 'pid=,uid=,command='])
    .split('\n')
    .flatMap((line) => {
      // macOS writes the number of `nobody` as -2.
      const [, pid, uid, command] = /^\s*(\d+)\s+(-?\d+)\s+(.*)$/.exec(line) ?? []
      return command === undefined ? [] : [{ pid: Number(pid), uid: Number(uid) >>> 0, command: `${command} ` }]
    })
}

function list(command: string, args: string[]): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const options = { encoding: 'utf8', env, timeout: LIST_MS_MAX, maxBuffer: LIST_BYTES_MAX, windowsHide: true } as const
  return spawnSync(command, args, options).stdout ?? ''
}

/** A process may end between listing and reading. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
