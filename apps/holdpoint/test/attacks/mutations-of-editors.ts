// The checks of agents in an editor, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const hostile = "apps/holdpoint/test/acp/hostile.test.ts"
const questions = "apps/holdpoint/test/acp/questions.test.ts"
const sessions = "apps/holdpoint/test/acp/sessions.test.ts"

export const editorMutations: readonly Mutation[] = [
  ...within(
    "apps/holdpoint/src/acp/map.ts",
    [
      "an editor allows a call by an option that was offered",
      "if (optionId === allow) return",
      "if (optionId !== reject) return",
      questions,
      "is not given by an option that was not offered",
    ],
    [
      "an editor may grant automatically only approvals of tool calls",
      'if (question.mode !== "form" || question.context.trigger !== "approval") return undefined',
      'if (question.mode !== "form") return undefined',
      questions,
      "is never a request for permission, which an editor may grant automatically",
    ],
    [
      "an editor's reply has to be one of the three actions",
      'if (action !== "accept") return undefined\n  return mode',
      "return mode",
      hostile,
      "leaves the question open when it replies to a form with",
    ],
  ),
  ...within(
    "apps/holdpoint/src/acp/session.ts",
    [
      "an editor loads no session of another agent",
      "conversation?.agent !== agent",
      "conversation === undefined",
      hostile,
      "cannot load a session of another person or agent",
    ],
    [
      "an editor loads sessions of its own person",
      "await conversations.find(person, editor.session)",
      "await conversations.find({ ...person, subject: 'alice' }, editor.session)",
      hostile,
      "cannot load a session of another person or agent",
    ],
  ),
  ...within("apps/holdpoint/src/acp/list.ts", [
    "an editor lists only the sessions of its agent",
    ".filter((conversation) => conversation.agent === agent)",
    "",
    sessions,
    "is listed only for its person and agent",
  ]),
  ...within("apps/holdpoint/src/acp/updates.ts", [
    "the content that a tool read is not Markdown in an editor",
    "text: quoted(text)",
    "text",
    hostile,
    "is in its own code block, even as the result of a tool",
  ]),
  ...within("apps/holdpoint/src/acp/words.ts", [
    "an asker's text cannot end the block in which an editor shows it",
    "Math.max(3, longest + 1)",
    "3",
    hostile,
    "cannot form a link or an image, end its code block",
  ]),
  ...within("apps/holdpoint/src/acp/app.ts", [
    "an editor does not see internal failures",
    "throw refuse.failedInside()",
    "throw error",
    hostile,
    "reaches the editor without its details",
  ]),
  ...within(
    "apps/holdpoint/src/acp/questions.ts",
    [
      "a prompt leaves the editor when its question ends elsewhere",
      "withdrawn.abort()",
      "void withdrawn",
      questions,
      "that is answered in the inbox is withdrawn",
    ],
    [
      "a question leaves the editor, and stays open, when the editor is closed",
      "withdrawn.abort()",
      "withdrawn.abort(); parts.hub.answer(id, { by: parts.person, action: 'cancel' }).catch(() => {})",
      sessions,
      "whose editor is closed keeps its question",
    ],
  ),
  ...within("apps/holdpoint/src/acp/protocol-output.ts", [
    "the output of tools does not reach the editor",
    "globalThis.console = new Console({ stdout: stderr, stderr })",
    "void Console; void stderr",
    "apps/holdpoint/test/acp/process.db.test.ts",
    "asks with a form, for permission and for an account, and ends when its editor does",
  ]),
]
