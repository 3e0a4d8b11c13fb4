// The identity of a process, stored with the calls and questions that the process has in memory.

/** Identifies a process on a machine. Without a machine, other processes cannot check whether it still runs. */
export interface ProcessId {
  readonly machine?: string
  readonly pid: number
  /** A new value for each start of a process. */
  readonly boot: string
}
