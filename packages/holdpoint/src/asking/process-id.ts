// The id of this process for other processes on the same machine, and whether another process still runs.

import { randomUUID } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { digestOf } from "./digest.ts"
import type { ProcessId } from "./records.ts"

/** The id is kept on `globalThis`, because one process may load this file twice. */
const slot = Symbol.for("holdpoint.process")
const kept = globalThis as { [slot]?: ProcessId }

export function thisProcess(): ProcessId {
  kept[slot] ??= { pid: process.pid, boot: randomUUID(), ...readMachine() }
  return kept[slot]
}

/**
 * Identifies the boot of the kernel and the PID namespace. Where both are equal, a process id means the same process;
 * containers have their own namespaces.
 */
function readMachine(): Pick<ProcessId, "machine"> {
  if (process.platform !== "linux") return {}
  try {
    const kernel = readFileSync("/proc/sys/kernel/random/boot_id", "utf8")
    return { machine: digestOf([kernel, readlinkSync("/proc/self/ns/pid")]) }
  } catch {
    // The system hides them: then only an expired lease tells that a process is dead.
    return {}
  }
}

/** Whether any process, of any user, has this id now. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}
