// The file with the key of the person's programs: only its owner reads it, and another file is not used.

import { chmodSync, chownSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import { describe, expect, it, onTestFinished } from "vitest"
import { openProgramKey } from "../../src/identity/program-key.ts"

function linkToDevice(path: string): void {
  rmSync(path)
  symlinkSync("/dev/zero", path)
}

describe("the file with the key", () => {
  const newFile = async (): Promise<string> => {
    const folder = await createFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return join(folder, "holdpoint.local-key")
  }

  it("is made once, for its owner alone, and the same for every server of the person", async () => {
    const path = await newFile()
    const { text } = openProgramKey(path)
    noteCanary("program_key", text)
    expect([statSync(path).mode & 0o777, openProgramKey(path).text]).toEqual([0o600, text])
  })

  it.each([
    ["that others can read", (path: string) => chmodSync(path, 0o644), /can be read by others[\s\S]*chmod 600/],
    ["without a key", (path: string) => writeFileSync(path, "hpl_short\n"), /does not contain a key/],
    ["that leads elsewhere", linkToDevice, /not a regular file/],
    ["of another user", (path: string) => chownSync(path, 65_534, 65_534), /belong to another user[\s\S]*chown 0/],
  ])("%s is not used, and the error says what to do", async (what, spoil, words) => {
    const path = await newFile()
    openProgramKey(path)
    if (what === "of another user" && process.getuid?.() !== 0) return
    spoil(path)
    expect(() => openProgramKey(path)).toThrow(words)
  })
})
