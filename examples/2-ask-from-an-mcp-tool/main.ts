// One tool, called by clients of three generations and by one without elicitation. Prints and checks the question that
// each person reads and the result for the model.

import assert from "node:assert/strict"
import { join } from "node:path"
import { type Answer, type ConnectedClient, connect, connectFirst, type Person } from "./clients.ts"
import { serveReleases } from "./server.ts"

interface Story {
  readonly title: string
  readonly version: string
  readonly open: (person: Person) => Promise<ConnectedClient>
  /** The person's answers, question by question. */
  readonly answers: readonly Answer[]
  /** The text for the model. */
  readonly result: RegExp
  readonly isError: boolean
}

const releases = serveReleases()
const url = await releases.listen(0)
const program = join(import.meta.dirname, "server.ts")

const toProduction: Answer = {
  action: "accept",
  content: { note: "Faster search", environment: "production", notify: false },
}
const toStaging: Answer = { action: "accept", content: { environment: "staging", notify: true } }
const yes: Answer = { action: "accept", content: { confirmed: "yes" } }
const no: Answer = { action: "decline" }

const stories: readonly Story[] = [
  {
    title: "a client of 2026-07-28, over HTTP: it gets the question as a result, and comes again with the answer",
    version: "4.2.0",
    open: (person) => connect({ url }, "2026-07-28", person),
    answers: [toProduction, yes],
    result: /^Releasing to production, tested once: Faster search$/,
    isError: false,
  },
  {
    title: "a client of 2025-11-25, on stdio: it is asked in the middle of its call",
    version: "4.2.1",
    open: (person) => connect({ program }, "2025-11-25", person),
    answers: [toStaging],
    result: /^Releasing to staging, tested once: \(no note\)$/,
    isError: false,
  },
  {
    title: "the official client of the generation before, over HTTP: the person says no",
    version: "4.2.2",
    open: (person) => connectFirst(url, person),
    answers: [no],
    result: /^The user was asked and said no\. Nothing more was done\./,
    isError: true,
  },
  {
    title: "a client that cannot ask anybody, on stdio",
    version: "4.2.3",
    open: () => connect({ program }, "2025-11-25"),
    answers: [],
    result: /^The user has to be asked, and this client has no way to ask them/,
    isError: true,
  },
]

for (const story of stories) await runStory(story)
await releases.close()

async function runStory({ title, version, open, answers, result, isError }: Story): Promise<void> {
  console.log(title)
  const left = [...answers]
  const client = await open(({ message }) => {
    const answer = left.shift() ?? assert.fail(`unexpected question: ${message}`)
    console.log(`  asked     ${message}`)
    console.log(`  answered  ${Object.values(answer.content ?? { action: answer.action }).join(", ")}`)
    return answer
  })
  const called = await client.call("release", { version })
  console.log(`  result    ${called.text}\n`)
  await client.close()
  assert.match(called.text, result)
  assert.equal(called.isError, isError)
  assert.deepEqual(left, [], "everything was asked, and nothing twice")
}
