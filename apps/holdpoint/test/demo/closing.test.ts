// The end of the demo when one of its parts cannot be closed.

import { DatabaseSync } from "node:sqlite"
import { systemRuntime } from "@holdpoint/hub"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type DemoOptions, startDemo } from "../../src/demo/start.ts"

/** From now on, databases are closed, and then report an error. Returns the number of those that were closed. */
function failToClose(): () => number {
  const { close } = DatabaseSync.prototype
  const spy = vi.spyOn(DatabaseSync.prototype, "close").mockImplementation(function (this: DatabaseSync) {
    close.call(this)
    throw new Error("The disk is gone.")
  })
  onTestFinished(() => spy.mockRestore())
  return () => spy.mock.calls.length
}

function optionsFor(host: string): DemoOptions & { readonly reports: string[] } {
  const reports: string[] = []
  const report = (activity: string, error: unknown): void => void reports.push(`${activity}: ${error}`)
  return { folder: makeScratchFolder("demo-closing"), host, port: 0, runtime: systemRuntime, report, reports }
}

describe("a demo with a part that cannot be closed", () => {
  it("closes its other parts, and says why the first one was not closed", async () => {
    const demo = await startDemo(optionsFor("127.0.0.1"))
    const closed = failToClose()
    await expect(demo.close()).rejects.toThrow("The disk is gone.")
    expect(closed()).toBe(2)
  })

  it("says why it could not start, and closes what had started", async () => {
    const closed = failToClose()
    const options = optionsFor("192.0.2.1")
    await expect(startDemo(options)).rejects.toThrow("The sign-in of alice and bob is for this machine only")
    expect(closed()).toBe(2)
    expect(options.reports).toEqual(["closing the demo: Error: The disk is gone."])
  })
})
