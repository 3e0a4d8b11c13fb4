// A process with the stand-in for Nextcloud.

import { startStandIn } from "@holdpoint/nextcloud-stand-in"
import { serve } from "../child.ts"

const open: (() => Promise<void>)[] = []

export interface Cloud {
  /** With its path, without a trailing slash. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** A note of this user. */
  readonly note: number
}

const commands = {
  async open(): Promise<Cloud> {
    const standIn = await startStandIn({ seed: true })
    open.push(standIn.close)
    const { loginName: user, password } =
      [...standIn.world.users.values()].find(({ id }) => id === "alice") ?? noNotes()
    const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }
    const answer = await fetch(`${standIn.url}/index.php/apps/notes/api/v1/notes`, { headers })
    const [first] = (await answer.json()) as { readonly id: number }[]
    return { url: standIn.url, user, password, note: first?.id ?? noNotes() }
  },
}

function noNotes(): never {
  throw new Error("The stand-in has no alice, or she has no notes.")
}

export type StandInCommands = typeof commands

serve(commands, async () => {
  for (const close of open) await close()
})
