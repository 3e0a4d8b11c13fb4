// `holdpoint keys status`: reports on the keys even when they are wrong or missing. Changes nothing.

import { isHoldpointError } from "@holdpoint/hub"
import type { KeyRing, KeyUse } from "@holdpoint/hub/sealing"
import { createSealer, hasKeys, keyStatus, whatIsWrong } from "@holdpoint/hub/sealing"
import type { Call, ExitCode } from "../command.ts"
import { bold, dim, green, red } from "../output.ts"
import { note } from "../session.ts"
import type { KeySession } from "./session.ts"
import { readRing, withPlainStorage } from "./session.ts"

export const status = (call: Call): Promise<ExitCode> =>
  withPlainStorage(call, async (session) => {
    const { storage, settings } = session
    const isUsed = await hasKeys(storage)
    const { keyRing, problem } = await checkRing(session)
    const keys = await keyStatus(storage, keyRing)
    const canary = problem === undefined ? (isUsed ? "opens" : "none") : "closed"
    const from = "file" in settings.keys ? settings.keys.file : "HOLDPOINT_KEYS"
    if (call.args.has("json")) {
      call.out.json({ from, canary, keys, ...(problem === undefined ? {} : { problem }) }, 2)
    } else printReport(call, { from, canary, keys })
    if (problem === undefined) return 0
    if (!isUsed && keyRing.keys.size === 0 && "file" in settings.keys) {
      call.out.note("There are no keys yet. They are made when the database is first used.")
      return 0
    }
    note(call, problem)
    return 1
  })

interface KeyCheck {
  readonly keyRing: KeyRing
  readonly problem?: string
}

async function checkRing({ storage, settings }: KeySession): Promise<KeyCheck> {
  try {
    const keyRing = readRing(settings.keys)
    const problem = await whatIsWrong(storage, createSealer(keyRing))
    return problem === undefined ? { keyRing } : { keyRing, problem }
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    const details = error.problems.map(({ path, message }) => `\n  ${path} ${message}`).join("")
    return { keyRing: { current: "", keys: new Map() }, problem: error.message + details }
  }
}

interface KeyReport {
  readonly from: string
  readonly canary: "opens" | "closed" | "none"
  readonly keys: readonly KeyUse[]
}

function printReport({ out }: Call, { from, canary, keys }: KeyReport): void {
  out.say(dim("keys    "), from)
  const words = {
    opens: green("they open this database"),
    closed: red("they do not open this database"),
    none: "unused",
  }
  out.say(dim("check   "), words[canary])
  if (keys.length === 0) return
  out.say("")
  const width = Math.max(...keys.map(({ id }) => id.length), 3)
  out.say(bold(`${"KEY".padEnd(width)}  RECORDS`))
  for (const { id, isCurrent, isInRing, records } of keys) {
    const remark = isCurrent ? green("current") : isInRing ? dim(records === 0 ? "old, unused" : "old") : red("missing")
    out.say(id.padEnd(width), "  ", String(records).padStart(7), "  ", remark)
  }
}
