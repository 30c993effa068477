// Which entries of the index fit a query, and in which order. If no entry has its words, words with a slip of the keys in them count, too.

/** @typedef {{ title: string, path: string, place: string, text: string }} Entry */
/** @typedef {{ entries: Entry[], isSimilar: boolean }} Ranking */

const RESULTS_MAX = 20
/** A shorter word is near too many others. */
const SLIP_LENGTH_MIN = 4
/** A word of this length may have two slips. */
const LONG_LENGTH_MIN = 8
/** A longer word is no word that the index has, and comparing it takes long. */
const WORD_LENGTH_MAX = 40

/**
 * The entries that have every word of the query, best first; if there are none, those with similar words.
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {Ranking}
 */
export function rank(entries, query) {
  const words = query.trim().toLowerCase().split(/\s+/)
  const exact = sort(entries, (entry) => scoreOf(entry, words))
  if (exact.length > 0) return { entries: exact, isSimilar: false }
  return { entries: sort(entries, (entry) => similarityOf(entry, words)), isSimilar: true }
}

/**
 * @param {readonly Entry[]} entries
 * @param {(entry: Entry) => number} score
 */
function sort(entries, score) {
  return entries
    .map((entry) => ({ entry, score: score(entry) }))
    .filter((each) => each.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ entry }) => entry)
}

/**
 * A word counts most at the beginning of the title, then in the title, then in the text. Words that stand together as in the query count more.
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function scoreOf({ title, place, text }, words) {
  const [name, rest] = [title.toLowerCase(), `${place} ${text}`.toLowerCase()]
  let score = words.length > 1 && name.includes(words.join(' ')) ? 10 : 0
  for (const word of words) {
    if (name === word) score += 40
    else if (name.startsWith(word)) score += 20
    else if (name.includes(` ${word}`)) score += 12
    else if (name.includes(word)) score += 8
    else if (rest.includes(` ${word}`)) score += 3
    else if (rest.includes(word)) score += 1
    else return 0
  }
  return score
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function similarityOf({ title, text }, words) {
  let score = 0
  for (const word of words) {
    if (hasSimilar(title, word)) score += 8
    else if (hasSimilar(text, word)) score += 1
    else return 0
  }
  return score
}

/**
 * @param {string} text
 * @param {string} word
 */
function hasSimilar(text, word) {
  const lower = text.toLowerCase()
  if (lower.includes(word)) return true
  if (word.length < SLIP_LENGTH_MIN || word.length > WORD_LENGTH_MAX) return false
  const slips = word.length < LONG_LENGTH_MIN ? 1 : 2
  return (lower.match(/[a-z0-9_.-]+/g) ?? []).some(
    (other) => Math.abs(other.length - word.length) <= slips && countSlips(word, other) <= slips,
  )
}

/**
 * How many letters are wrong, missing, too many or swapped with their neighbour (optimal string alignment).
 * @param {string} a
 * @param {string} b
 */
export function countSlips(a, b) {
  /** @type {number[]} */
  let beforeLast = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
