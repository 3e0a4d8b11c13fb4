// Sending mail when the answers in the inbox and the client differ, and when a client loses the result and repeats.

import { afterEach, expect, it } from "vitest"
import type { House, Serve } from "./house.ts"
import { agree, alice, openHouse } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const message = { to: ["bob@example.org"], subject: "The plan", body: "See you on Friday." }
const posted = ({ standIn }: House): readonly string[] =>
  standIn.requests.filter((request) => request.startsWith("POST") && request.endsWith("/message/send"))

it.each(["decline", "cancel"] as const)(
  "a message is not sent after a Yes in the inbox and %s in the client",
  async (action) => {
    house = await openHouse({
      async answer(prompt, here) {
        if (prompt.url !== undefined) return agree(prompt, here)
        const [question] = await here.hub.list({ tenant: alice.tenant, principal: alice, state: "open", limit: 1 })
        const content = { confirmed: "yes" }
        const step = await here.hub.answer(question?.id ?? "", { by: alice, action: "accept", via: "web", content })
        expect(step.ok).toBe(true)
        return { action }
      },
    })
    expect((await house.call("nc_mail_send_message", message)).isError).toBe(true)
    expect(posted(house)).toEqual([])
  },
)

/** Loses the response that carries the result; the client sees a broken connection. */
function losingResult(serve: Serve, isSent: () => boolean): Serve {
  let isLost = false
  return async (request) => {
    const response = await serve(request)
    if (isLost || request.method !== "POST" || !isSent()) return response
    isLost = true
    await response.body?.cancel()
    throw new TypeError("fetch failed")
  }
}

it("a message is sent once when a client loses the result and calls again", async () => {
  const here = await openHouse()
  house = here
  await here.call("nc_mail_list_accounts")
  const client = await here.open("2026", (serve) => losingResult(serve, () => posted(here).length > 0))
  const call = { name: "nc_mail_send_message", arguments: message }
  await expect(client.callTool(call)).rejects.toThrow()
  expect(posted(here)).toHaveLength(1)
  const again = await client.callTool(call)
  expect(again.isError).toBeFalsy()
  expect(posted(here)).toHaveLength(1)
})
