/**
 * Drives the vendor's serverless client: lists endpoints and workers, routes two requests through it to a worker, and
 * triggers an update. Prints one JSON object. The client would fetch a root certificate for the addresses of workers,
 * which here are plain HTTP.
 */
export const SERVERLESS_PROGRAM = `
import asyncio, json, os, ssl
from vastai.serverless.client.client import Serverless

async def main():
    base, name, group = os.environ["FRONT"], os.environ["ENDPOINT"], int(os.environ["WORKERGROUP"])
    client = Serverless(os.environ["VAST_API_KEY"], webserver_url=base, autoscaler_url=base)
    client._ssl_context = ssl.create_default_context()
    async with client:
        endpoint = await client.get_endpoint(name)
        payload = {"model": "qwen3-8b", "max_tokens": 16, "messages": [{"role": "user", "content": "hi"}]}
        answers = [await endpoint.request("/v1/chat/completions", payload, cost=16, timeout=60) for _ in range(2)]
        workers = await endpoint.get_workers()
        print(json.dumps({
            "endpoint": endpoint.name,
            "group": await client.find_workergroup_for_endpoint(endpoint.id),
            "answers": [{"status": a.get("status"), "ok": a.get("ok"), "model": (a.get("response") or {}).get("model")} for a in answers],
            "workers": [{"status": w.status, "perf": w.measured_perf, "loaded": w.loaded_at > 0} for w in workers],
            "update": await client.update_workers(group),
        }))

asyncio.run(main())
`;
