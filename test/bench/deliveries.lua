-- Deliveries for wrk: each of another purchase, of one of 500 subscriptions, as the gateway sends them.
local sent = 0
local at
-- Another prefix in each run: what was sent before is a duplicate.
local run = tostring(os.time()) .. tostring({}):gsub("%W", "")
local form = '{"event":"charge:successful","payload":[{"subscription":{"id":"001-S-%d","frequency":"Daily",' ..
  '"start_date":"2026-03-10","end_date":null,"reference":"SUB-%d","customer":{"email":"ada@example.com",' ..
  '"first_name":"Ada","last_name":"Lovelace","reference":"CUST-1","id":"001-C-AAAA1111"}},"response":{' ..
  '"successful":true,"response":{"id":"001-P-%s-%d","authorization":"582","card_number":"512345XXXXXX2346",' ..
  '"amount":2500,"decimal_amount":25,"successful":true,"message":"Approved","currency":"AUD",' ..
  '"transaction_date":"%s","source":"Recurring"},"errors":[],"test":true}}]}'

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["X-Service-Mode"] = "Sandbox"

function request()
  -- A purchase has the time at which it was made.
  if sent % 256 == 0 then at = os.date("!%Y-%m-%dT%H:%M:%S+00:00") end
  sent = sent + 1
  local source = sent % 500
  return wrk.format(nil, nil, nil, string.format(form, source, source, run, sent, at))
end
