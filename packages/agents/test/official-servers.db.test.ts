// The example servers of the official MCP SDK that elicit, behind an agent: their questions reach the person in the
// stream of the reply, and the answers reach the servers.

import type { StreamEvent } from "@holdpoint/hub/stream"
import type { AgentsServer, StreamReader } from "@holdpoint/testkit/agents/agents-server"
import { answer, publicUrl, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { type OfficialServer, type SignedIn, signIn, startOfficial } from "./official-server.ts"

/** An agent that calls the tool in the person's message, and replies with the result. */
function agentsFor({ url }: OfficialServer, headers: Readonly<Record<string, string>> = {}): AgentsConfig {
  const model = scriptedModel(({ message, step, results }) => {
    const [tool = "", input = "{}"] = message.split(" ")
    if (step > 0) return { text: results.map(({ output }) => String(output)).join(" | ") }
    return { calls: [{ tool, input: JSON.parse(input) }] }
  })
  return {
    agents: { helper: { model, mcpServers: ["example"], policies: { "*": "always" } } },
    mcpServers: { example: { url, headers, credentialScope: "none", title: "Example" } },
  }
}

/** Reads until the stream contains a new question. */
async function nextQuestion(stream: StreamReader): Promise<StreamEvent> {
  for (;;) {
    const asked = await question(stream)
    if (asked.type === "elicitation-request" && asked.status === "pending") return asked
  }
}

const give = async (server: AgentsServer, { elicitationId }: StreamEvent, content: object): Promise<void> =>
  expect((await answer(server, "c1", { elicitationId, ...content })).status).toBe(200)

const accept = (content?: object) => ({ action: "accept", ...(content === undefined ? {} : { content }) })

describe("the official server that asks with forms", () => {
  const start = async () => {
    const example = await startOfficial("elicitationFormExample")
    return { example, server: await startAgents(agentsFor(example)) }
  }

  it("asks in the stream with its schema, and continues with the answer", async () => {
    const { example, server } = await start()
    const stream = await server.say("c1", "update_shipping_address")
    const asked = await nextQuestion(stream)
    expect(asked).toMatchObject({
      mode: "form",
      message: `“Example” (${example.url}) asks: Please provide your shipping address:`,
      requestedSchema: {
        properties: { state: { type: "string", title: "State/Province", minLength: 2, maxLength: 2 } },
        required: ["name", "street", "city", "state", "zipCode"],
      },
      context: { trigger: "tool_input_required", toolName: "update_shipping_address" },
    })
    const address = { name: "Alice", street: "1 Main Street", city: "Bern", state: "BE", zipCode: "30110" }
    const { elicitationId } = asked
    const wrong = await answer(server, "c1", { elicitationId, ...accept({ ...address, state: "Bern" }) })
    expect(wrong.status).toBe(422)
    await give(server, asked, accept(address))
    const replyText = textOf(await stream.rest())
    expect(replyText).toBe(`Address updated successfully!\n\n${JSON.stringify(address, null, 2)}`)
  })

  it.each([
    { action: "decline", said: "Address update cancelled by user." },
    { action: "cancel", said: "Address update was cancelled." },
  ])("is told that the person chose to $action", async ({ action, said }) => {
    const { server } = await start()
    const stream = await server.say("c1", "update_shipping_address")
    await give(server, await nextQuestion(stream), { action })
    expect(textOf(await stream.rest())).toBe(said)
  })

  it("asks several questions in one call, one after the other", async () => {
    const { server } = await start()
    const stream = await server.say("c1", "create_event")
    const first = await nextQuestion(stream)
    expect(first.message).toContain("Step 1: Enter basic event information")
    await give(server, first, accept({ title: "Tea" }))
    const second = await nextQuestion(stream)
    expect(second.requestedSchema?.properties.date).toMatchObject({ type: "string", format: "date" })
    const time = { date: "2026-12-01", startTime: "10:00", duration: 30 }
    await give(server, second, accept(time))
    const replyText = textOf(await stream.rest())
    expect(replyText).toBe(`Event created successfully!\n\n${JSON.stringify({ title: "Tea", ...time }, null, 2)}`)
  })

  it("gets no password: its form is declined, and the model is told why", async () => {
    const { server } = await start()
    const chunks = await (await server.say("c1", "register_user")).rest()
    expect(chunks.map(({ type }) => type)).not.toContain("data-elicitation")
    const replyText = textOf(chunks)
    expect(replyText).toContain("Registration cancelled by user.")
    expect(replyText).toContain("A form must not ask for secrets: properties.password")
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toEqual([])
  })
})

describe("the official server that asks with links", () => {
  const start = async () => {
    const example = await startOfficial("elicitationUrlExample")
    const signedIn = await signIn(example)
    const server = await startAgents(agentsFor(example, { authorization: `Bearer ${signedIn.token}` }))
    return { example, signedIn, server, stream: await server.say("c1", 'payment-confirm {"cartId":"cart-7"}') }
  }
  const addressOf = async (server: AgentsServer, { elicitationId }: StreamEvent): Promise<URL> =>
    new URL(String((await server.hub.get(elicitationId))?.context.address))

  /** Confirms on the page of the server, like the person's browser. The server then reports the page as done. */
  const confirm = async ({ origin }: OfficialServer, { cookie }: SignedIn, { searchParams }: URL): Promise<void> => {
    const body = new URLSearchParams([...searchParams, ["action", "confirm"]])
    const page = await fetch(`${origin}/confirm-payment`, { method: "POST", headers: { cookie }, body })
    expect(await page.text()).toContain("Your payment has been successfully processed.")
  }

  it("is named in the stream, and a page of ours shows the full address of its link", async () => {
    const { example, server, stream } = await start()
    const asked = await nextQuestion(stream)
    const host = new URL(example.origin).host
    expect(asked).toMatchObject({
      mode: "url",
      url: `${publicUrl}/visit/${asked.elicitationId}`,
      message:
        `“Example” (${example.url}) asks you to open a page at ${host}.\n` +
        "It says: This tool requires a payment confirmation. Open the link to confirm payment!",
    })
    const address = await addressOf(server, asked)
    expect(address.href).toContain(`${example.origin}/confirm-payment?session=`)
    const page = await server.get(`/visit/${asked.elicitationId}`, { "sec-fetch-site": "same-origin" })
    const text = (await page.text()).replaceAll("&amp;", "&").replaceAll(/<[^>]*>/g, "")
    expect(text).toContain(address.href)
    // The server's id of the question stays with the server.
    expect(asked.elicitationId).not.toBe(address.searchParams.get("elicitation"))
    await give(server, asked, { action: "decline" })
    expect(textOf(await stream.rest())).toContain("and the user did not. Calling again immediately is useless")
  })

  it("reports when the person has finished, and is called again at most three times", async () => {
    const { example, signedIn, server, stream } = await start()
    const seen: string[] = []
    for (let visit = 1; visit <= 3; visit++) {
      const asked = await nextQuestion(stream)
      const address = await addressOf(server, asked)
      seen.push(address.href)
      await give(server, asked, accept())
      const waiting = await nextQuestion(stream)
      expect(waiting.message).toContain("Try again when you have finished there.")
      await confirm(example, signedIn, address)
      expect(await question(stream)).toMatchObject({
        ...{ type: "elicitation-resolved", elicitationId: waiting.elicitationId, status: "cancelled" },
        reason: { code: "finished" },
      })
      await expect.poll(async () => (await server.hub.get(asked.elicitationId))?.status).toBe("completed")
    }
    // This server asks for a confirmation with every call, even after a confirmation.
    expect(textOf(await stream.rest())).toContain("still asks the user to visit a page")
    expect(new Set(seen).size).toBe(3)
  })

  it("is called again when the person says that they have finished", async () => {
    const { server, stream } = await start()
    await give(server, await nextQuestion(stream), accept())
    await give(server, await nextQuestion(stream), accept({ confirmed: "yes" }))
    const again = await nextQuestion(stream)
    expect(again.mode).toBe("url")
    await give(server, again, { action: "cancel" })
    expect(textOf(await stream.rest())).toContain("and the user did not. Calling again immediately is useless")
  })
})

describe("another official server that asks", () => {
  it("asks for a choice with names, an email address and a number", async () => {
    const server = await startAgents(agentsFor(await startOfficial("simpleStreamableHttp")))
    const collected = async (infoType: string, content: object): Promise<StreamEvent> => {
      const stream = await server.say("c1", `collect-user-info {"infoType":"${infoType}"}`)
      const asked = await nextQuestion(stream)
      await give(server, asked, accept(content))
      const replyText = textOf(await stream.rest())
      expect(replyText).toBe(`Thank you! Collected ${infoType} information: ${JSON.stringify(content, null, 2)}`)
      return asked
    }
    const preferences = await collected("preferences", { theme: "dark", notifications: false })
    expect(preferences.requestedSchema?.properties.theme).toMatchObject({ enumNames: ["Light", "Dark", "Auto"] })
    await collected("contact", { name: "Alice", email: "alice@example.com" })
    await collected("feedback", { rating: 5, recommend: true })
  })

  it("fails with a plain error when a tool needs tasks, which are not offered", async () => {
    const server = await startAgents(agentsFor(await startOfficial("simpleTaskInteractive")))
    const chunks = await (await server.say("c1", 'confirm_delete {"filename":"a.txt"}')).rest()
    expect(textOf(chunks)).toBe("Tool confirm_delete requires task mode")
    expect(chunks.map(({ type }) => type)).not.toContain("data-elicitation")
  })
})
