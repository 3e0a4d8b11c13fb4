// The id of this process for other processes on the same machine, and whether another process still runs.

import { createHash, randomUUID } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import type { ProcessId } from "../ports/process.ts"

/** The id is kept on `globalThis`, because one process may load this file twice. */
const processIdKey = Symbol.for("holdpoint.process")
const globals = globalThis as { [processIdKey]?: ProcessId }

export function thisProcess(): ProcessId {
  globals[processIdKey] ??= { pid: process.pid, boot: randomUUID(), ...readMachine() }
  return globals[processIdKey]
}

/**
 * Identifies the boot of the kernel and the PID namespace. Where both are equal, a process id means the same process;
 * containers have their own namespaces.
 */
function readMachine(): Pick<ProcessId, "machine"> {
  if (process.platform !== "linux") return {}
  try {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8")
    const namespace = readlinkSync("/proc/self/ns/pid")
    return { machine: createHash("sha256").update(`${bootId} ${namespace}`).digest("base64url") }
  } catch {
    // The system hides these files. Only an expired lease then shows that a process is dead.
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

/** Whether a process still runs. `unknown`: it is on another machine, or the system hides it. */
export type ProcessLife = "runs" | "gone" | "unknown"

export function lifeOf(other: ProcessId | undefined, current = thisProcess()): ProcessLife {
  if (other === undefined) return "unknown"
  if (other.boot === current.boot) return "runs"
  if (other.machine === undefined || other.machine !== current.machine) return "unknown"
  return other.pid === current.pid || !isRunning(other.pid) ? "gone" : "runs"
}
