// What a start costs at least: Node loads fastify, which answers one path.
import fastify from 'fastify'

const app = fastify()
app.get('/', async () => ({}))
console.log(`It listens on ${await app.listen({ port: 0, host: '127.0.0.1' })}.`)
