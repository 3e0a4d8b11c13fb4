// Questions: settled once, and every place that says how one ended says the same.

import type { Finding, Rule } from "../facts.ts"

export const oneEnd: Rule = ({ questions, ends, answers }) => {
  const stored = new Map(questions.map((question) => [question.id, question]))
  const findings: Finding[] = []
  for (const { question: id, status, said, where } of ends) {
    const question = stored.get(id)
    // An open state was true when it was told.
    if (status === "pending" || (status === "accepted" && question?.status !== "pending")) continue
    if (question === undefined)
      findings.push({
        rule: "question lost",
        ids: [id],
        words: `${where} said “${status}”; the database has no such question`,
      })
    else if (question.status !== status || (said !== undefined && said !== question.said))
      findings.push({
        rule: "two truths",
        ids: [id],
        words: `${where} said “${[status, said].join(" ").trim()}”; the database says “${[question.status, question.said ?? ""].join(" ").trim()}”`,
      })
  }
  for (const { question: id, httpStatus, via, said, told } of answers) {
    const isAccepted = httpStatus === 200 && told !== undefined && told !== "pending"
    const question = stored.get(id)
    if (!isAccepted || question === undefined) continue
    const isNo = question.status === "declined" || question.said === "no"
    if ((said === "no") !== isNo)
      findings.push({
        rule: "answer accepted and lost",
        ids: [id],
        words: `the ${said === "yes" ? "Yes" : "No"} by ${via} was accepted; the question is “${question.status}”`,
      })
  }
  return findings
}
