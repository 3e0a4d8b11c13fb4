// The pages of the site as HTML. The chat is one element and one script.

export const signInPage = (people: readonly string[]): string =>
  document(
    "Sign in",
    `<h1>Acme intranet</h1>
<p>This sign-in believes what you press. Your site has a real one.</p>
<form method="post" action="/sign-in">${people
      .map((person) => `<button name="person" value="${person}">Continue as ${person}</button>`)
      .join(" ")}</form>`,
  )

export const chatPage = (holdpoint: string, person: string): string =>
  document(
    "Acme intranet",
    `${header(person)}
<main>
  <h1>Ask the assistant</h1>
  <holdpoint-chat server="${holdpoint}" agent="assistant" token-url="/holdpoint-token" sign-in="/"></holdpoint-chat>
</main>
<script type="module" src="/holdpoint-widget.js"></script>`,
  )

/** The token is valid for this conversation only, so a script of this page cannot read other conversations. */
export const expensePage = (holdpoint: string, person: string): string =>
  document(
    "Expenses",
    `${header(person)}
<main class="beside">
  <form id="expense">
    <h1>New expense</h1>
    <label>Purpose <input name="purpose"></label>
    <label>Date <input name="date" type="date"></label>
    <label>Amount <input name="amount" type="number" step="0.01" min="0"></label>
    <button>Save</button>
    <p role="status"></p>
  </form>
  <aside aria-label="Assistant">
    <holdpoint-chat server="${holdpoint}" agent="assistant" conversation="expense-7"
      token-url="/holdpoint-token?conversation=expense-7"></holdpoint-chat>
  </aside>
</main>
<script type="module" src="/holdpoint-widget.js"></script>
<script type="module" src="/expenses.js"></script>`,
  )

/** A page whose content comes from a bundle: page/NAME.tsx. */
export const reactPage =
  (name: string) =>
  (holdpoint: string, person: string): string =>
    document(
      "Acme intranet",
      `${header(person)}
<main id="page" data-holdpoint="${holdpoint}"></main>
<script type="module" src="/${name}.js"></script>`,
    )

const header = (person: string): string => `<header>
  <nav aria-label="Pages">
    <a href="/">Chat</a> <a href="/expenses">Expenses</a>
    <a href="/expenses-react">Expenses in React</a> <a href="/own-chat">A chat of our own</a>
  </nav>
  <form method="post" action="/sign-out">Signed in as ${person} <button>Sign out</button></form>
</header>`

const document = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
${body}
</body>
</html>
`
