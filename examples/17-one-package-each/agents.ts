// An agent whose tool waits for a person's yes. Its model follows a script; any model of the AI SDK takes its place.
import { createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { serve } from "@hono/node-server"

const [port, person] = [Number(process.env.PORT ?? 4650), { tenant: "local", issuer: "local", subject: "ada" }]
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: `http://127.0.0.1:${port}` }
const site = await createHoldpoint({ ...server, people: { from: "local", user: "ada" } })
const model = scriptedModel(({ step }) => (step === 0 ? { calls: [{ tool: "refund", input: {} }] } : { text: "Done." }))
const inputSchema = { type: "object" }
const refund = { description: "Refunds order 7.", inputSchema, execute: () => console.log("Order 7 is refunded.") }
const shop = { model, tools: { refund }, policies: { refund: "ask" } }
await createAgents(site, readAgents({ agents: { shop } })).begin({ person, agent: "shop", text: "Refund order 7." })
serve({ fetch: site.fetch, hostname: "127.0.0.1", port }, () => console.log(`Open ${server.publicUrl}/inbox`))
