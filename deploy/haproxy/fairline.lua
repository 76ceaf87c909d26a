-- Asks Fairline about each request (docs/guides/gate-proxies.md). Needs HAProxy 2.6 or later, and nothing else.
local VERIFY = 'http://127.0.0.1:3000/gate/verify'
local TIMEOUT_MS = 2000

-- About the body, which is not sent, or about this connection.
local NOT_SENT = {
    ['connection'] = true, ['content-length'] = true, ['expect'] = true, ['host'] = true, ['keep-alive'] = true,
    ['te'] = true, ['transfer-encoding'] = true, ['upgrade'] = true,
}
-- What HAProxy writes itself in an answer.
local NOT_ANSWERED = { ['connection'] = true, ['content-length'] = true, ['date'] = true, ['keep-alive'] = true, ['transfer-encoding'] = true }

-- HAProxy counts values from 0.
local function values(list)
    local all = {}
    local at = 0
    while list ~= nil and list[at] ~= nil do
        all[#all + 1] = list[at]
        at = at + 1
    end
    return all
end

local function ask(txn)
    local headers = {}
    for name, list in pairs(txn.http:req_get_headers()) do
        if not NOT_SENT[name] then headers[name] = values(list) end
    end
    headers['x-forwarded-method'] = { txn.f:method() }
    headers['x-forwarded-uri'] = { txn.f:url() }
    return core.httpclient():get({ url = VERIFY, headers = headers, timeout = TIMEOUT_MS })
end

local function refuse(txn, answer)
    local reply = txn:reply()
    -- HAProxy reports a Fairline that is down as a status of its own, without headers.
    local isAnswer = answer.headers ~= nil and answer.headers['x-fairline-code'] ~= nil
    reply:set_status(isAnswer and answer.status or 503)
    if isAnswer then
        for name, list in pairs(answer.headers) do
            if not NOT_ANSWERED[name] then
                for _, value in ipairs(values(list)) do reply:add_header(name, value) end
            end
        end
        reply:set_body(answer.body or '')
    else
        reply:add_header('cache-control', 'no-store')
        reply:add_header('retry-after', '5')
    end
    txn:done(reply)
end

core.register_action('fairline_gate', { 'http-req' }, function(txn)
    local answer = ask(txn)
    if answer.status ~= 200 then return refuse(txn, answer) end
    for _, name in ipairs({ 'x-fairline-event', 'x-fairline-visitor' }) do
        local value = values(answer.headers[name])[1]
        if value ~= nil and value ~= '' then txn.http:req_set_header(name, value) end
    end
    local visitor = values(answer.headers['x-fairline-visitor'])[1]
    if visitor ~= nil and visitor ~= '' then txn.http:req_set_header('x-user-id', visitor) end
    txn:set_priv(answer.headers)
end)

-- A renewed entry token, as a cookie or for clients that send it in a header.
core.register_action('fairline_renew', { 'http-res' }, function(txn)
    local answered = txn:get_priv() or {}
    for _, name in ipairs({ 'set-cookie', 'x-queue-entry-token' }) do
        for _, value in ipairs(values(answered[name])) do txn.http:res_add_header(name, value) end
    end
end)
