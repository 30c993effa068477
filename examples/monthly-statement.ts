// Reads the statement of a month, checks its sums, and saves it as CSV and PDF. Arguments: the month, such as 2026-01 (this
// month by default), and the folder for the files.
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { amounts, Cardstock } from '@cardstock/sdk'

const cardstock = new Cardstock()
const [month = new Date().toISOString().slice(0, 7), folder = '.'] = process.argv.slice(2)
const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
const range = { from: `${month}-01`, to: `${month}-${lastDay}` }

const statement = await cardstock.statements.get(range)
for (const entry of statement.data)
  console.log(`${entry.kind.padEnd(12)} ${entry.amount.padStart(9)} ${entry.balance.padStart(9)}`)

const closing = amounts.subtract(amounts.add(statement.openingBalance, statement.incoming), statement.outgoing)
console.log(`Opening ${statement.openingBalance} + ${statement.incoming} - ${statement.outgoing} = ${closing}.`)
if (amounts.compare(closing, statement.closingBalance) !== 0) throw new Error('The statement does not add up.')

for (const format of ['csv', 'pdf'] as const) {
  const stream = await cardstock.statements.download(range, format)
  await pipeline(
    Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(join(folder, `statement.${format}`)),
  )
  console.log(`Saved statement.${format}.`)
}
