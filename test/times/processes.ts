// The processor time of a process and of everything that it started, from /proc. Linux only.

import { readdirSync, readFileSync } from "node:fs"

export interface TreeTimes {
  /** Seconds of the process itself. */
  readonly own: number
  /** Seconds of its descendants: the living ones, and those whose parent is alive and has waited for them. */
  readonly started: number
}

interface ProcessTimes {
  readonly program: string
  readonly parent: number
  readonly own: number
  readonly reaped: number
}

const ticksPerSecond = 100

export function timesOfTree(pid: number): TreeTimes {
  const all = everyProcess()
  const { own = 0, reaped = 0 } = all.get(pid) ?? {}
  return { own, started: reaped + sum(descendantsOf(pid, all)) }
}

/** The processor seconds of living descendants that run this program, with the processes that they started. */
export function timesOfProgram(pid: number, program: string): number {
  return sum(descendantsOf(pid, everyProcess()).filter((one) => one.program === program))
}

const sum = (processes: readonly ProcessTimes[]): number =>
  processes.reduce((total, { own, reaped }) => total + own + reaped, 0)

function descendantsOf(pid: number, all: ReadonlyMap<number, ProcessTimes>): readonly ProcessTimes[] {
  const isBelow = (parent: number): boolean => parent === pid || (parent > 1 && isBelow(all.get(parent)?.parent ?? 0))
  return [...all.values()].filter(({ parent }) => isBelow(parent))
}

function everyProcess(): ReadonlyMap<number, ProcessTimes> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return new Map(pids.flatMap((pid) => timesOf(pid).map((times) => [Number(pid), times] as const)))
}

/** The processor times of a process; empty when the process has ended meanwhile. */
function timesOf(pid: string): readonly ProcessTimes[] {
  const stat = statOf(pid)
  if (stat === undefined) return []
  // The name of the program is in brackets and may contain spaces; the state follows it (proc_pid_stat(5)).
  const [from, to] = [stat.indexOf("("), stat.lastIndexOf(")")]
  const fields = stat.slice(to + 2).split(" ")
  const at = (index: number): number => Number(fields[index])
  const [own, reaped] = [(at(11) + at(12)) / ticksPerSecond, (at(13) + at(14)) / ticksPerSecond]
  return [{ program: stat.slice(from + 1, to), parent: at(1), own, reaped }]
}

function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ESRCH") return undefined
    throw error
  }
}
