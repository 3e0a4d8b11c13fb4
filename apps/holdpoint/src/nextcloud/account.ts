// `holdpoint nextcloud account`: serves the account page of the person at this machine, whether or not a client runs.

import { type Addresses, paths } from "@holdpoint/hub"
import type { Call, ExitCode } from "../command.ts"
import { stopped } from "../stop-signal.ts"
import { wrongUse } from "../wrong-use.ts"
import { withLocalHoldpoint } from "./local-holdpoint.ts"
import { type Plan, readPlan } from "./plan.ts"

export async function showAccount(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  assertOwn(plan)
  await withLocalHoldpoint(call, plan, async ({ open, addresses }) => {
    await open()
    printAddress(call, addresses)
    await stopped(call.io.signal)
  })
  return 0
}

/** Throws in modes without an account page here: no account is stored, or people have pages where they sign in. */
function assertOwn({ nextcloud, settings }: Plan): void {
  const { mode } = nextcloud
  if (mode.kind === "single")
    throw wrongUse(
      "With NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD, all people share one account and do not connect their own.",
      "Set how often you are asked with nextcloud.confirm in holdpoint.config.ts.",
    )
  if (mode.kind === "pass-through")
    throw wrongUse(
      "With ENABLE_OFFLINE_ACCESS=false no account is stored: callers bring their own tokens.",
      "So there is no account page.",
    )
  if (mode.people === undefined) return
  const { publicUrl } = settings.pages
  throw wrongUse(
    `People sign in (${mode.people.issuer}), and each person has their own account page.`,
    `The page is at ${publicUrl ?? "the address that --http printed"}${paths.account}`,
  )
}

function printAddress({ out, args }: Call, addresses: Addresses): void {
  const [url, code] = [addresses.home(paths.account), addresses.codeOf()]
  if (args.has("json")) return void out.json({ url, code })
  out.say("Your account:  ", `${url} (code ${code})`)
  out.say("This page shows your account, what you have allowed, and when you are asked to confirm. Ctrl-C ends it.")
}
