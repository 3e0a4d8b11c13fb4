// `holdpoint keys rotate`: adds a new key and seals everything with it. An unfinished rotation is finished instead.

import type { Sealer } from "@holdpoint/hub/sealing"
import { changeKeyFile, rewrapAll, withNewKey } from "@holdpoint/hub/sealing"
import type { Call, ExitCode } from "../command.ts"
import { toCommand } from "../instructions.ts"
import { green, red } from "../output.ts"
import { note } from "../session.ts"
import type { KeySession } from "./session.ts"
import { checkedSealer, oldKeys, records, totalOf, withPlainStorage } from "./session.ts"

export const rotate = (call: Call): Promise<ExitCode> =>
  withPlainStorage(call, async (session) => {
    const { keys } = session.settings
    const sealer = await checkedSealer(call, session)
    const oldRecords = totalOf(await oldKeys(session))
    if (oldRecords > 0) call.out.note(`${records(oldRecords)} to be sealed with the key ${sealer.keyId}.`)
    else if ("file" in keys) {
      const { current } = changeKeyFile(keys.file, withNewKey)
      call.out.note(`The new key ${current} is in ${keys.file}.`)
    } else return printRotationSteps(call, sealer)
    return rewrap(call, session, sealer)
  })

async function rewrap(call: Call, session: KeySession, sealer: Sealer): Promise<ExitCode> {
  const { io, out, args } = call
  const total = totalOf(await oldKeys(session))
  const { done, failed, isFinished } = await rewrapAll(session.storage, sealer, {
    signal: io.signal,
    onProgress: (progress) => out.progress(`${progress.done} of ${records(total)} sealed with ${sealer.keyId}`),
  })
  out.clearProgress()
  const old = await oldKeys(session)
  const oldRecords = totalOf(old)
  if (args.has("json"))
    out.json({ current: sealer.keyId, done, left: oldRecords, failed, old: old.map(({ id }) => id) })
  if (!isFinished && io.signal.aborted) {
    out.note(`Stopped: ${records(done)} done, ${oldRecords} left. Nothing is lost; continue at any time:`)
    out.note(toCommand(["keys", "rotate"], session.settings))
    return 1
  }
  for (const id of failed) out.note(red("Cannot be opened, and stays as it is: "), id)
  if (!args.has("json")) out.say(green("✔ "), `${records(done)} sealed with the key ${sealer.keyId}.`)
  if (oldRecords > failed.length) {
    out.note("Meanwhile a process with the old keys has sealed more records. Restart it with the new keys, then run:")
    out.note(toCommand(["keys", "rotate"], session.settings))
  } else if (oldRecords === 0 && old.length > 0) printUnusedKeys(call, session, old)
  return failed.length === 0 && oldRecords === 0 ? 0 : 1
}

function printUnusedKeys(call: Call, { settings }: KeySession, old: readonly { readonly id: string }[]): void {
  const ids = old.map(({ id }) => id).join(", ")
  const advice =
    "file" in settings.keys
      ? `Remove: ${toCommand(["keys", "rotate", "--drop-old"], settings)}`
      : "Remove it from HOLDPOINT_KEYS and restart every process on the database."
  note(call, `The old key is no longer used: ${ids}.\n${advice}\nOlder backups still need it: keep it with them.`)
}

/** This command cannot change HOLDPOINT_KEYS, so it prints the steps instead. */
function printRotationSteps(call: Call, { keyId }: Sealer): ExitCode {
  const { out, args } = call
  if (args.has("json")) out.json({ current: keyId, done: 0, left: 0, failed: [], old: [] })
  else out.say(`Everything is sealed with the current key ${keyId}.`)
  note(
    call,
    "The keys are given in HOLDPOINT_KEYS. To change to a new one:\n" +
      "  1. make it:                                  holdpoint keys generate\n" +
      "  2. put it before the old one:                HOLDPOINT_KEYS=NEW,OLD\n" +
      "  3. restart every process on the database\n" +
      "  4. seal everything with it, while they run:  holdpoint keys rotate",
  )
  return 0
}
