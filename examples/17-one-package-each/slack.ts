// Asks ada in Slack. Events come by socket mode, so no public address is needed.
import { createMemoryStorage, form } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { slack } from "@holdpoint/slack"

const { SLACK_BOT_TOKEN = "", SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = process.env
const part = slack({ botTokens: [SLACK_BOT_TOKEN], appToken, apiUrl })
const [ada, people] = [{ tenant: "local", issuer: "local", subject: "ada" }, { from: "local", user: "ada" } as const]
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: "http://127.0.0.1:4650", people }
const { hub, close } = await createHoldpoint({ ...server, parts: [part] })
await part.app.links.link({ team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team" }, ada)
const question = { message: "Publish version 2.0?", form: form({}), audience: ada, requester: { id: "release" } }
console.log((await hub.wait(await hub.ask({ ...question, lifetimeMs: 3_600_000 }))).status)
await close()
