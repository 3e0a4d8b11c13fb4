// `holdpoint keys rotate --drop-old`: removes unused keys. Data whose key is gone is lost, so the usage is checked before
// and after.

import type { KeyRing, KeyUse } from "@holdpoint/sdk/sealing"
import { changeKeyFile, keyStatus, withoutKeys } from "@holdpoint/sdk/sealing"
import type { Call, ExitCode } from "../command.ts"
import { toCommand } from "../instructions.ts"
import { green } from "../output.ts"
import { wrongUse } from "../wrong-use.ts"
import type { Workplace } from "./workplace.ts"
import { checkedSealer, oldKeys, readRing, records, withPlainStorage } from "./workplace.ts"

export const dropOld = (call: Call): Promise<ExitCode> =>
  withPlainStorage(call, async (workplace) => {
    const { keys } = workplace.settings
    await checkedSealer(call, workplace)
    const old = await oldKeys(workplace)
    refuseUsed(workplace, old)
    const ids = old.map(({ id }) => id)
    if ("text" in keys && ids.length > 0) {
      return tell(call, ids, `Nothing uses ${ids.join(", ")}: remove it from HOLDPOINT_KEYS.`)
    }
    if ("file" in keys) await drop(workplace, keys.file, ids)
    return tell(call, ids, ids.length === 0 ? "There is no old key." : `Removed ${ids.join(", ")}.`)
  })

async function drop(workplace: Workplace, file: string, ids: readonly string[]): Promise<void> {
  const before = readRing({ file })
  const putBack = (ring: KeyRing): KeyRing => ({ ...ring, keys: new Map([...ring.keys, ...before.keys]) })
  const after = changeKeyFile(file, (ring) => withoutKeys(ring, ids))
  // A write that was in progress during the first check is stored by now, or was sealed with the new key.
  const uses = await keyStatus(workplace.storage, after)
  const used = uses.filter(({ id, records: count }) => ids.includes(id) && count > 0)
  if (used.length === 0) return
  changeKeyFile(file, putBack)
  refuseUsed(workplace, used)
}

function refuseUsed({ settings }: Workplace, old: readonly KeyUse[]): void {
  const used = old.filter(({ records: count }) => count > 0)
  if (used.length === 0) return
  const list = used.map(({ id, records: count }) => `${id} (${records(count)})`).join(", ")
  const next = `Seal everything with the current key first: ${toCommand(["keys", "rotate"], settings)}`
  throw wrongUse(`These keys are still used, and none was removed: ${list}.`, next)
}

function tell({ out, given }: Call, dropped: readonly string[], words: string): ExitCode {
  if (given.has("json")) out.json({ unused: dropped })
  else out.say(green("✔ "), words)
  return 0
}
