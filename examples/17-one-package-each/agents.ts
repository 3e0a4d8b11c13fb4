// An agent whose tool waits for a person's yes. Its model follows a script; any model of the AI SDK takes its place.
import { createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage, paths } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { serve } from "@hono/node-server"

const [port, ada] = [Number(process.env.PORT ?? 4650), { tenant: "local", issuer: "local", subject: "ada" }]
const [storage, keys, publicUrl] = [createMemoryStorage(), withNewKey(), `http://127.0.0.1:${port}`]
const site = await createHoldpoint({ storage, keys, publicUrl, people: { from: "local", user: "ada" } })
serve({ fetch: site.fetch, hostname: "127.0.0.1", port })
const model = scriptedModel(({ step }) => (step === 0 ? { calls: [{ tool: "refund", input: {} }] } : { text: "Done." }))
const refund = { description: "Refunds 7.", inputSchema: {}, execute: () => console.log("Order 7 is refunded.") }
const shop = { model, tools: { refund }, policies: { refund: "ask" } }
await createAgents(site, readAgents({ agents: { shop } })).begin({ person: ada, agent: "shop", text: "Refund it." })
for await (const { id } of site.hub.watch({ principal: ada, afterPosition: 0 }))
  console.log(`Answer at ${site.addresses.to(paths.question, id)}`)
