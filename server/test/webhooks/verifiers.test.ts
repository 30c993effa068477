// The verifiers in examples/verify accept and refuse what vectors/webhook-signatures.json says, in every language that is
// installed here. The SDK does it for TypeScript everywhere; a language that is missing is reported as not installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { receive } from '../../../examples/verify/verify.ts'

interface Vector {
  name: string
  body: string
  signature: string
  secret: string
  now: number
  result: string
}

interface Language {
  readonly name: string
  readonly file: string
  /** Takes four arguments per vector: the file of the body, the header, the secret and the time. Prints a verdict for each. */
  readonly driver: readonly [file: string, text: string]
  readonly needs: string
  readonly run: string
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    file: 'verify.py',
    driver: [
      'driver.py',
      `import sys
from verify import verify_webhook
for i in range(1, len(sys.argv), 4):
    file, header, secret, now = sys.argv[i:i + 4]
    try:
        verify_webhook(open(file, "rb").read(), header, secret, int(now))
        print("verified")
    except ValueError:
        print("refused")`,
    ],
    needs: 'python3',
    run: 'python3 driver.py "$@"',
  },
  {
    name: 'Go',
    file: 'verify.go',
    driver: [
      'driver.go',
      `package main
import ("fmt"; "os"; "strconv"; "time"; "example.com/webhook")
func main() {
	for i := 1; i < len(os.Args); i += 4 {
		body, _ := os.ReadFile(os.Args[i])
		now, _ := strconv.ParseInt(os.Args[i+3], 10, 64)
		if webhook.Verify(body, os.Args[i+1], os.Args[i+2], time.Unix(now, 0)) == nil {
			fmt.Println("verified")
		} else {
			fmt.Println("refused")
		}
	}
}`,
    ],
    needs: 'go',
    run: 'mkdir driver && mv driver.go driver/ && go mod init example.com/webhook 2>/dev/null && go run ./driver "$@"',
  },
  {
    name: 'PHP',
    file: 'verify.php',
    driver: [
      'driver.php',
      `<?php
require 'verify.php';
foreach (array_chunk(array_slice($argv, 1), 4) as [$file, $header, $secret, $now]) {
    try { verify_webhook(file_get_contents($file), $header, $secret, (int) $now); echo "verified\n"; }
    catch (RuntimeException) { echo "refused\n"; }
}`,
    ],
    needs: 'php',
    run: 'php driver.php "$@"',
  },
  {
    name: 'Ruby',
    file: 'verify.rb',
    driver: [
      'driver.rb',
      `require_relative "verify"
ARGV.each_slice(4) do |file, header, secret, now|
  verify_webhook(File.binread(file), header, secret, now: Integer(now))
  puts "verified"
rescue ArgumentError
  puts "refused"
end`,
    ],
    needs: 'ruby',
    run: 'ruby driver.rb "$@"',
  },
  {
    name: 'Java',
    file: 'Webhook.java',
    driver: [
      'Driver.java',
      `class Driver {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 4) {
      byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(args[i]));
      boolean genuine = Webhook.verify(body, args[i + 1], args[i + 2], Long.parseLong(args[i + 3]));
      System.out.println(genuine ? "verified" : "refused");
    }
  }
}`,
    ],
    needs: 'javac',
    run: 'javac Driver.java Webhook.java && java Driver "$@"',
  },
  {
    name: 'The shell',
    file: 'verify.sh',
    driver: [
      'driver.sh',
      `. ./verify.sh
while [ $# -gt 0 ]; do
  if WEBHOOK_SECRET=$3 verify_webhook "$2" "$4" <"$1" 2>/dev/null; then echo verified; else echo refused; fi
  shift 4
done`,
    ],
    needs: 'sha256sum',
    run: 'bash -u driver.sh "$@"',
  },
]

const examples = fileURLToPath(new URL('../../../examples/verify/', import.meta.url))
const { checks } = JSON.parse(
  readFileSync(new URL('../../../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
) as { checks: Vector[] }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-verifiers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

test('every verifier is tested here', () => {
  expect(readdirSync(examples).toSorted()).toEqual(['verify.ts', ...LANGUAGES.map(({ file }) => file)].toSorted())
})

for (const { name, file, driver, needs, run } of LANGUAGES) {
  const installed = isInstalled(needs)
  const title = installed ? 'accepts and refuses as the vectors say' : 'was not run: it is not installed here'
  test.runIf(installed)(`${name} ${title}`, () => {
    const place = join(folder, file)
    mkdirSync(place)
    cpSync(join(examples, file), join(place, file))
    writeFileSync(join(place, driver[0]), driver[1])
    const args = checks.flatMap(({ body, signature, secret, now }, index) => {
      writeFileSync(join(place, `${index}.json`), body)
      return [`${index}.json`, signature, secret, String(now)]
    })
    const verdicts = execFileSync('bash', ['-c', run, 'bash', ...args], { cwd: place, encoding: 'utf8' })
      .trim()
      .split('\n')
    const expected = checks.map(({ result }) => (result === 'verified' ? result : 'refused'))
    expect(verdicts.map((verdict, index) => [checks[index]?.name, verdict])).toEqual(
      expected.map((verdict, index) => [checks[index]?.name, verdict]),
    )
  })
}

describe('TypeScript', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  test.each(checks)('$name', async ({ body, signature, secret, now, result }) => {
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] })
    vi.stubEnv('WEBHOOK_SECRET', secret)
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const headers = signature === '' ? {} : { 'Service-Signature': signature }
    const answer = await receive(new Request('http://127.0.0.1/', { method: 'POST', body, headers }))
    expect([answer.status, await answer.text()]).toEqual(result === 'verified' ? [204, ''] : [400, result])
  })
})
