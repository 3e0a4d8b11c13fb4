// A No in the client's own prompt overrides an earlier Yes in the inbox or on a page: nothing is removed or read.

import { afterEach, describe, expect, it } from "vitest"
import type { Answered, House, Prompt } from "./house.ts"
import { agree, alice, openHouse, textIn } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const noteOf = async ({ call }: House): Promise<number> => {
  const created = await call("nc_notes_create_note", { title: "Shopping", content: "milk" })
  return (created.structuredContent as { id: number }).id
}

async function titlesIn({ call }: House): Promise<readonly string[]> {
  const { structuredContent } = await call("nc_notes_list_notes")
  return (structuredContent as { notes: { title: string }[] }).notes.map(({ title }) => title)
}

/** Answers the open question with Yes in the inbox, without the client. */
async function yesInTheInbox(prompt: Prompt, { hub }: House): Promise<void> {
  const [question] = await hub.list({ tenant: alice.tenant, principal: alice, state: "open", limit: 1 })
  if (question === undefined) throw new Error(`no open question for “${prompt.message}”`)
  const { content } = (await agree(prompt, house as House)) as Answered
  const step = await hub.answer(question.id, { by: alice, action: "accept", via: "web", content })
  if (!step.ok) throw new Error(step.refusal.message)
}

describe.each(["decline", "cancel"] as const)("a %s in the client", (action) => {
  it("after a Yes in the inbox stops the deletion of the note", async () => {
    house = await openHouse({
      async answer(prompt, here) {
        if (prompt.url !== undefined || !prompt.message.includes("Shopping")) return agree(prompt, here)
        await yesInTheInbox(prompt, here)
        return { action }
      },
    })
    const note = await noteOf(house)
    const refused = await house.call("nc_notes_delete_note", { note_id: note })
    expect(refused.isError, textIn(refused)).toBe(true)
    expect(await titlesIn(house)).toContain("Shopping")
  })

  it("after the account was connected on the page stops the read", async () => {
    house = await openHouse({
      async answer({ url = "" }, here) {
        await here.allow(url)
        return { action }
      },
    })
    const refused = await house.call("nc_notes_list_notes")
    expect(refused.isError, textIn(refused)).toBe(true)
    expect(refused.structuredContent).toBeUndefined()
    // The account stays connected, and the next call uses it.
    expect((await house.call("nc_notes_list_notes")).isError).toBeFalsy()
  })
})

it("a No in the inbox counts, even when the client answers Yes after it", async () => {
  house = await openHouse({
    async answer(prompt, here) {
      if (prompt.url !== undefined || !prompt.message.includes("Shopping")) return agree(prompt, here)
      const [question] = await here.hub.list({ tenant: alice.tenant, principal: alice, state: "open", limit: 1 })
      await here.hub.answer(question?.id ?? "", { by: alice, action: "decline", via: "web" })
      return agree(prompt, here)
    },
  })
  const note = await noteOf(house)
  expect((await house.call("nc_notes_delete_note", { note_id: note })).isError).toBe(true)
  expect(await titlesIn(house)).toContain("Shopping")
})
