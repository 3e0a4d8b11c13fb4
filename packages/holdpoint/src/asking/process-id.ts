// This process, as other processes on the same machine can look it up; and whether one of them still runs.

import { randomUUID } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { digestOf } from "./digest.ts"
import type { ProcessId } from "./records.ts"

/** Read once: one process may have loaded this file twice. */
const slot = Symbol.for("holdpoint.process")
const kept = globalThis as { [slot]?: ProcessId }

export function thisProcess(): ProcessId {
  kept[slot] ??= { pid: process.pid, boot: randomUUID(), ...readMachine() }
  return kept[slot]
}

/**
 * The start of the kernel and the space in which process ids are counted. Where they are equal, a process id means the same
 * process here and there; containers have spaces of their own.
 */
function readMachine(): Pick<ProcessId, "machine"> {
  if (process.platform !== "linux") return {}
  try {
    const kernel = readFileSync("/proc/sys/kernel/random/boot_id", "utf8")
    return { machine: digestOf([kernel, readlinkSync("/proc/self/ns/pid")]) }
  } catch {
    // A system that hides it: then only time tells.
    return {}
  }
}

/** True for another process, of whichever user, that has this id now. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}
