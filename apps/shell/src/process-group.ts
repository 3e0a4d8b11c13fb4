// Ends a process group, with everything that its first process has started.

import { readdirSync, readFileSync } from "node:fs"

/** Sends TERM to the group, and KILL if a process remains. Resolves when none is alive, or two seconds after KILL. */
export async function endGroup(group: number): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return
  if (await hasEndedWithin(group, graceMs)) return
  signalGroup(group, "SIGKILL")
  await hasEndedWithin(group, graceMs)
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
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? stateOf(name, group) : []))
  } catch {
    return undefined
  }
}

function stateOf(pid: string, group: number): readonly string[] {
  try {
    const [, state = "", groupId] = /.*\) (\S) \d+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
    return Number(groupId) === group ? [state] : []
  } catch {
    // The process has ended meanwhile.
    return []
  }
}
