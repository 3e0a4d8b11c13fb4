// Ends a process group, and the processes that left it: a child of setsid is known by the variable of its call, which it
// has inherited.

import { readdirSync, readFileSync } from "node:fs"

/** Sends TERM to the group, and KILL if a process remains. Resolves when none is alive, or two seconds after KILL. */
export async function endGroup(group: number): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return
  if (await hasEndedWithin(group, graceMs)) return
  signalGroup(group, "SIGKILL")
  await hasEndedWithin(group, graceMs)
}

/**
 * Kills the processes whose environment has this variable, until none is left, or for two seconds: a process may start
 * another while they are read. They had their time with the group. Where there is no /proc, they remain.
 */
export async function endMarked(variable: string): Promise<void> {
  const deadline = performance.now() + graceMs
  for (let marked = markedBy(variable); marked.length > 0; marked = markedBy(variable)) {
    for (const pid of marked) kill(pid)
    if (performance.now() >= deadline) return
    await new Promise((resolve) => setTimeout(resolve, mostPauseMs))
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended meanwhile.
  }
}

/** The processes of this user whose environment has this variable. Zombies have no environment. */
function markedBy(variable: string): readonly number[] {
  return (pids() ?? []).filter((pid) => {
    try {
      return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${variable}\0`)
    } catch {
      // The process has ended meanwhile, or belongs to another user.
      return false
    }
  })
}

/** How long a process group has between TERM and KILL. */
const graceMs = 2_000

async function hasEndedWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let pause = 1; hasLivingProcess(group); pause = Math.min(pause * 2, mostPauseMs)) {
    if (performance.now() >= deadline) return false
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return true
}

const mostPauseMs = 20

/** Sends a signal to the group; 0 only tests whether the group exists. Returns false when the group has no process. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/**
 * Whether a process of the group is alive. Zombies do not count: in a container, the first process may never reap
 * orphans that have ended.
 */
function hasLivingProcess(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  const states = statesIn(group)
  return states === undefined || states.some((state) => state !== "Z" && state !== "X")
}

/** The states of the group's processes, as in proc_pid_stat(5). Undefined on a system without /proc. */
function statesIn(group: number): readonly string[] | undefined {
  return pids()?.flatMap((pid) => stateOf(pid, group))
}

/** Undefined on a system without /proc. */
function pids(): readonly number[] | undefined {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  } catch {
    return undefined
  }
}

function stateOf(pid: number, group: number): readonly string[] {
  try {
    const [, state = "", groupId] = /.*\) (\S) \d+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
    return Number(groupId) === group ? [state] : []
  } catch {
    // The process has ended meanwhile.
    return []
  }
}
