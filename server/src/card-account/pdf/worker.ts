// The worker thread that writes one statement as PDF and ends. The main thread only hands over what the database returned.
import { parentPort, workerData } from 'node:worker_threads'
import { runAtOnce } from '../../lib/steps.ts'
import type { Statement } from '@cardstock/sdk'
import { parseSubjects } from '../subjects.ts'
import { writePdf } from './pdf.ts'
import { type StatementSource, writeStatement } from '../source.ts'

export interface PdfJob {
  readonly source: StatementSource
  /** What the entries are about: JSON, as the database wrote it. */
  readonly subjects: string
}

const { source, subjects } = workerData as PdfJob
const statement = JSON.parse(runAtOnce(writeStatement(source)).toString()) as Statement
const pdf = writePdf(statement, parseSubjects(subjects))
// The bytes move to the main thread without a copy.
const bytes = new Uint8Array(pdf)
parentPort?.postMessage(bytes, [bytes.buffer])
