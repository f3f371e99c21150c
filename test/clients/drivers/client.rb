# Sends what each line of stdin describes, with Net::HTTP, and prints each answer as a line of JSON.
require 'json'
require 'net/http'
require 'socket'
require 'stringio'

$stdout.sync = true
connections = {}

# Sends a text over many connections at once. Returns what came back on each until it ended.
def exchange(wanted)
  sockets = Array.new(wanted['times']) { TCPSocket.new(wanted['host'], wanted['port']) }
  sockets.each_with_index { |socket, n| socket.write(wanted['wire'].gsub('{n}', format('%03d', n))) }
  sockets.map { |socket| socket.read.force_encoding('UTF-8').tap { socket.close } }
end

$stdin.each_line do |line|
  wanted = JSON.parse(line)
  if wanted.key?('wire')
    puts exchange(wanted).to_json
    next
  end
  uri = URI(wanted['url'])
  http = connections[uri.port] ||= Net::HTTP.start(uri.host, uri.port)

  request = Net::HTTP.const_get(wanted['method'].capitalize).new(uri)
  wanted['headers'].each { |name, value| request[name] = value }
  request['Content-Type'] = wanted['type'] if wanted.key?('type')
  if wanted['how'] == 'credentials in the address'
    request.basic_auth(uri.user, uri.password)
  else
    request.basic_auth(wanted['username'], wanted['password'])
  end

  body = wanted.key?('text') ? wanted['text'] : wanted.key?('body') ? wanted['body'].to_json : nil
  if wanted['how'] == 'chunked'
    request['Transfer-Encoding'] = 'chunked'
    request.body_stream = StringIO.new(body)
  elsif body
    request.body = body
  end

  answer = http.request(request)
  text = answer.body.to_s.force_encoding('UTF-8')
  puts({ status: answer.code.to_i, headers: answer.each_header.to_h, text: text }.to_json)
end
