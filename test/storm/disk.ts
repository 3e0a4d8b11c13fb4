// A small disk in memory that can be filled, for the database of a storm. Only root can mount one.

import { execFileSync } from "node:child_process"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Disk {
  readonly folder: string
  /** Undefined when this machine does not let us mount a small disk. */
  readonly fill?: (() => void) | undefined
  free(): void
  close(): Promise<void>
}

export async function openDisk(megabytes: number): Promise<Disk> {
  const top = await mkdtemp(join(tmpdir(), "holdpoint-storm-"))
  const mount = join(top, "disk")
  await mkdir(mount)
  const isMounted = canMount(mount, megabytes)
  const folder = join(mount, "database")
  await mkdir(folder)
  // Postgres runs as another user.
  for (const path of [top, mount]) await chmod(path, 0o755)
  const filler = join(mount, "filler")
  const free = (): void => rmSync(filler, { force: true })
  return {
    folder,
    free,
    fill: isMounted ? () => fillUp(filler) : undefined,
    async close() {
      free()
      if (isMounted) execFileSync("umount", ["--lazy", mount], { stdio: "pipe" })
      await rm(top, { recursive: true, force: true })
    },
  }
}

function canMount(folder: string, megabytes: number): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "pipe" })
    return true
  } catch {
    return false
  }
}

/** Writes until there is no room, at last in small pieces. */
function fillUp(path: string): void {
  const file = openSync(path, "a")
  try {
    for (const size of [1 << 20, 1 << 16, 1 << 12]) {
      const piece = Buffer.alloc(size, 1)
      for (;;)
        try {
          writeSync(file, piece)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
          break
        }
    }
  } finally {
    closeSync(file)
  }
}
