// A run without a client: a schedule or a program begins it in a person's name, with the Nextcloud tools in this
// process. The run asks in the inbox, and continues hours later.

import { toOwner } from "@holdpoint/accounts"
import { nextcloudLogin } from "@holdpoint/accounts/providers"
import { systemRuntime } from "@holdpoint/hub"
import { nextcloudTools } from "@holdpoint/nextcloud/agents"
import { startStandIn } from "@holdpoint/nextcloud-stand-in"
import type { AgentsServer } from "@holdpoint/testkit/agents/agents-server"
import { question, readStream, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it, onTestFinished } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/index.ts"

async function startWithNextcloud() {
  const standIn = await startStandIn({ seed: true })
  onTestFinished(() => standIn.close())
  const config: AgentsConfig = {
    agents: {
      helper: {
        model: scriptedModel(({ step, results }) =>
          step === 0
            ? { calls: [{ tool: "nc_notes_list_notes", input: {} }] }
            : { text: JSON.stringify(results.map(({ output }) => output)) },
        ),
        mcpServers: ["nextcloud"],
      },
    },
    mcpServers: { nextcloud: nextcloudTools({ url: standIn.url }) },
  }
  let ahead = 0
  const advance = (ms: number): void => {
    ahead += ms
  }
  const clock = { ...systemRuntime, now: () => Date.now() + ahead, advance }
  const server = await startAgents(config, {
    ...{ providers: [nextcloudLogin({ server: standIn.url })], network: { allowLoopback: true }, runtime: clock },
  })
  return { server, standIn, clock }
}

type World = Awaited<ReturnType<typeof startWithNextcloud>>

/** The person opens the link of the question and grants at the Nextcloud. */
async function grant({ server, standIn, clock }: World, id: string): Promise<void> {
  const elicitation = await server.hub.get(id)
  if (elicitation === undefined || !("principal" in server.identity)) throw new Error("no question")
  const { principal } = server.identity
  const visitor = { principal, session: "session" }
  const begun = await server.vault.consent.begin(elicitation, visitor)
  const browser = begun.kind === "begun" ? begun.browser : undefined
  standIn.grant((await server.vault.consent.departureUrl(elicitation, visitor, browser)) ?? "", "alice")
  await expect
    .poll(async () => {
      clock.advance(10_000)
      await server.vault.consent.work()
      return (await server.hub.get(id))?.status
    })
    .toBe("completed")
}

const person = (server: AgentsServer) => {
  if (!("principal" in server.identity)) throw new Error("not local")
  return server.identity.principal
}

describe("a run without a client", () => {
  it("asks in the inbox for a missing account, and continues hours later", async () => {
    const world = await startWithNextcloud()
    const { server, clock } = world
    const name = await server.agents.begin({ person: person(server), agent: "helper", text: "List my notes" })
    const open = () => server.hub.list({ tenant: "local", principal: person(server), state: "open", limit: 9 })
    await expect.poll(async () => (await open()).length).toBe(1)
    const [asked] = await open()
    expect(asked).toMatchObject({ mode: "url", context: { trigger: "credential_required", provider: "nextcloud" } })
    clock.advance(5 * 3_600_000)
    await grant(world, asked?.id ?? "")
    const stream = readStream(await server.get(`/run/api/conversations/${name}/stream`))
    expect(textOf(await stream.rest())).toContain("notes")
    expect((await server.vault.list(toOwner(person(server)))).map(({ status }) => status)).toEqual(["active"])
  })

  it("uses the account that the person has connected, and asks nothing", async () => {
    const world = await startWithNextcloud()
    const { server } = world
    const stream = await server.say("c1", "List my notes")
    await grant(world, (await question(stream)).elicitationId)
    await stream.rest()
    const name = await server.agents.begin({ person: person(server), agent: "helper", text: "List my notes" })
    const later = readStream(await server.get(`/run/api/conversations/${name}/stream`))
    const chunks = await later.rest()
    expect(textOf(chunks)).toContain("notes")
    expect(chunks.some(({ type }) => type === "data-elicitation")).toBe(false)
  })
})
