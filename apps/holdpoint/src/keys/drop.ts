// `holdpoint keys rotate --drop-old`: removes unused keys. Data whose key is gone is lost, so the usage is checked
// before and after.

import type { KeyRing, KeyUse } from "@holdpoint/hub/sealing"
import { changeKeyFile, keyStatus, withoutKeys } from "@holdpoint/hub/sealing"
import type { Call, ExitCode } from "../command.ts"
import { toCommand } from "../instructions.ts"
import { green } from "../output.ts"
import { wrongUse } from "../wrong-use.ts"
import type { KeySession } from "./session.ts"
import { checkedSealer, oldKeys, readRing, records, withPlainStorage } from "./session.ts"

export const dropOld = (call: Call): Promise<ExitCode> =>
  withPlainStorage(call, async (session) => {
    const { keys } = session.settings
    await checkedSealer(call, session)
    const oldKeyUses = await oldKeys(session)
    refuseUsed(session, oldKeyUses)
    const ids = oldKeyUses.map(({ id }) => id)
    if ("text" in keys && ids.length > 0) {
      return printDropped(call, ids, `Nothing uses ${ids.join(", ")}: remove it from HOLDPOINT_KEYS.`)
    }
    if ("file" in keys) await drop(session, keys.file, ids)
    return printDropped(call, ids, ids.length === 0 ? "There is no old key." : `Removed ${ids.join(", ")}.`)
  })

async function drop(session: KeySession, file: string, ids: readonly string[]): Promise<void> {
  const previousRing = readRing({ file })
  const withDroppedKeys = (ring: KeyRing): KeyRing => ({ ...ring, keys: new Map([...ring.keys, ...previousRing.keys]) })
  const newRing = changeKeyFile(file, (ring) => withoutKeys(ring, ids))
  // A write that was in progress during the first check is stored by now, or will be sealed with the current key.
  const uses = await keyStatus(session.storage, newRing)
  const stillUsed = uses.filter(({ id, records: count }) => ids.includes(id) && count > 0)
  if (stillUsed.length === 0) return
  changeKeyFile(file, withDroppedKeys)
  refuseUsed(session, stillUsed)
}

function refuseUsed({ settings }: KeySession, keyUses: readonly KeyUse[]): void {
  const stillUsed = keyUses.filter(({ records: count }) => count > 0)
  if (stillUsed.length === 0) return
  const list = stillUsed.map(({ id, records: count }) => `${id} (${records(count)})`).join(", ")
  const advice = `Seal everything with the current key first: ${toCommand(["keys", "rotate"], settings)}`
  throw wrongUse(`These keys are still used, and none was removed: ${list}.`, advice)
}

function printDropped({ out, args }: Call, dropped: readonly string[], words: string): ExitCode {
  if (args.has("json")) out.json({ unused: dropped })
  else out.say(green("✔ "), words)
  return 0
}
