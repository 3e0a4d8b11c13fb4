// The requirements on pages and prompts: where people read questions, answer them, and see their accounts.

export const pageSections = [
  {
    source: "design §7, §8 and the rules of connecting accounts",
    claims: {
      "page.other-names": "Addresses that other servers use for the same pages redirect to ours.",
      "page.one-refusal":
        "A visitor whom a link is not for gets the same page after the same work, whatever the reason; the right person is told the real one.",
      "page.headers":
        "Every response forbids frames, referrers, caching and foreign content; cookies are sent only to this host and hidden from scripts.",
      "page.own-posts": "Only posts from our own pages, with the token of the session, change anything.",
      "page.text-is-text": "Text from others is shown as text.",
      "page.without-scripts": "Everything works without JavaScript.",
      "page.keyboard": "Everything works with only the keyboard.",
      "answer.names-the-acts":
        "A yes-or-no question has one button for each act, named as the asker or the question calls it.",
      "answer.no-stray-enter": "Pressing only Enter never says Yes, neither in a page nor in a prompt.",
      "answer.stands-still":
        "A press counts only on an act that has stood still and in view for 700 ms before the press began.",
      "answer.not-under-last-press":
        "A press does not count on another act at the place of the last press, until the pointer has left it or three seconds are over.",
      "answer.keeps-place": "What ended elsewhere keeps its place while a pointer may be aiming at what is below it.",
      "answer.reason-reaches-asker": "A person may give a reason for a No, and the asker gets the reason.",
      "page.inbox-follows":
        "The inbox lists what a person may answer, is answered in place, and updates when questions change elsewhere.",
      "page.countdown":
        "A prompt says how long is left, counts its last minute down, and shows itself as expired when its time is over.",
      "page.notifications":
        "The inbox notifies a person of new questions if they asked for it, with only the asker's name.",
      "page.inbox-one-stream": "The tabs of an inbox share one event stream, which the next tab takes over.",
      "page.account":
        "A person sees their connections, sessions and history on one page, and can end connections and sessions there.",
      "page.timeline": "The page of what happened shows a person the steps of their own questions, without answers.",
      "page.history":
        "A person's history shows the act that they chose and its question, how other questions ended, and no other part of an answer.",
      "page.popup-fits": "A popup opens over the middle of the page, and its button is visible, even on small screens.",
      "page.popup":
        "A popup reports its result to the page that opened it, if that page is known: only the id and the status.",
      "page.links": "The header of every page for a person leads to the other pages of the server.",
      "page.login-window":
        "A yes that leads to a login opens its window in the same click; the window cannot reach the page that opened it.",
      "page.five-presses":
        "From the page of `npm start` to the notes a person needs five presses of their own and no password, in the same reply.",
      "page.first-size": "The first page of the demo loads less than 110 kB, uncompressed, all of it from the server.",
      "page.return-targets": "People return only to places known by an id, never to an address from a link.",
    },
  },
] as const
