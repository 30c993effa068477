import { COMPANIES, QUICK } from './bench.ts'
import { openBench, runBench } from './open.ts'
import { seedCompanies } from './seed.ts'
runBench(async () => {
  const bench = await openBench(QUICK)
  await seedCompanies(bench.db, COMPANIES, { funded: true })
  console.log(JSON.stringify({ c: bench.connection, s: bench.superuser, f: bench.folder }))
  await new Promise(() => setInterval(() => {}, 1e9))
  return 0
})
