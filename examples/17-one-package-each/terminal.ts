// Asks the person at the terminal in which it runs.
import { choice, createHub, createMemoryStorage, form } from "@holdpoint/hub"
import { createTerminalOutlet } from "@holdpoint/terminal"

const me = { tenant: "local", issuer: "local", subject: "me" }
const hub = createHub({ storage: createMemoryStorage(), outlets: (hub) => [createTerminalOutlet({ as: me, hub })] })
const asked = await hub.ask({
  message: "Where should version 4.2.0 go?",
  form: form({ environment: choice({ staging: "Staging", production: "Production" }, { title: "Environment" }) }),
  audience: me,
  requester: { id: "release-script", name: "Release script" },
})
const outcome = await hub.wait(asked)
console.log(outcome.status === "completed" ? `Releasing to ${outcome.content.environment}.` : outcome.status)
await hub.close()
