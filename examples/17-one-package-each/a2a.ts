// An A2A agent asks in a message, and a client that knows the extension answers with a part of the next one.
import { answerPart, elicitationExtension, questionParts, readAnswers, readQuestions } from "@holdpoint/a2a"
import { createHub, createMemoryStorage, form, inbox, yesNo } from "@holdpoint/hub"
import { toStreamEvent } from "@holdpoint/hub/stream"

const ada = { tenant: "local", issuer: "local", subject: "ada" }
const hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()] })
const draft = { message: "Pay invoice 7?", form: form({ pay: yesNo({ title: "Pay it" }) }), audience: ada }
const asked = await hub.ask({ ...draft, requester: { id: "payments" } })
const sent = { extensions: [elicitationExtension], parts: questionParts([toStreamEvent(asked)]) }
const [question = { elicitationId: "" }] = readQuestions(sent.parts)
const answer = answerPart({ elicitationId: question.elicitationId, action: "accept", content: { pay: true } })
for (const { elicitationId, content } of readAnswers([answer]).answers)
  await hub.answer(elicitationId, { by: ada, action: "accept", content: content ?? {} })
console.log(await hub.wait(asked))
await hub.close()
