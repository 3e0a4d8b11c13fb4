// The requirements on pages and prompts: where people read questions, answer them, and see their accounts.

export const pageSections = [
  {
    source: "design §7, §8 and the rules of connecting accounts",
    claims: {
      "page.older-names": "Addresses of older versions redirect to the current pages.",
      "page.one-refusal":
        "A visitor whom a link is not for gets the same page after the same work, whatever the reason; the right person is told the real one.",
      "page.headers":
        "Every response forbids frames, referrers, caching and foreign content, and its cookies are for this host and not for scripts.",
      "page.own-posts": "Only posts from our own pages, with the token of the session, change anything.",
      "page.text-is-text": "Text from others is shown as text.",
      "page.without-scripts": "Everything works without JavaScript.",
      "page.keyboard": "Everything works with the keyboard alone.",
      "answer.names-the-acts":
        "A yes-or-no question has one button for each act, named as the asker or the question calls it.",
      "answer.no-stray-enter": "Enter alone never says yes: not in a page, not in a prompt.",
      "answer.reason-reaches-asker": "A person may say why not, and the asker is told.",
      "page.inbox-follows":
        "The inbox lists what a person may answer, is answered in place, and updates when questions change elsewhere.",
      "page.countdown":
        "A prompt says how long is left, counts its last minute down, and looks expired by itself when its time is over.",
      "page.notifications":
        "The inbox notifies of new questions where a person has asked for it, with the asker's name alone.",
      "page.inbox-one-stream": "The tabs of an inbox share one event stream, which the next tab takes over.",
      "page.account":
        "A person sees their connections, sessions and history on one page, and can end connections and sessions there.",
      "page.timeline": "The page of what happened shows a person the steps of their own questions, without answers.",
      "page.history":
        "A person's history says what they said and to what, how else a question ended, and nothing else of an answer.",
      "page.popup-fits": "A popup opens over the middle of the page, and its button is in sight, on small screens too.",
      "page.popup":
        "A popup reports its result to the page that opened it, if that page is known: only the id and the status.",
      "page.links": "The header of every page for a person leads to the other pages of the server.",
      "page.login-window":
        "A yes that leads to a login opens its window in the same click; the window cannot reach the page that opened it.",
      "page.five-presses":
        "From the page of `npm start` to the notes it takes five presses, each a person's own, and no password; the same reply goes on.",
      "page.first-size": "The first page of the demo loads less than 100 kB, uncompressed, all of it from the server.",
      "page.return-targets": "People return only to places known by an id, never to an address from a link.",
    },
  },
] as const
