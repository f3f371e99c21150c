<?php

// Sends what each line of stdin describes, with curl, and prints each answer as a line of JSON.

// Sends a text over many connections at once. Returns what came back on each until it ended.
function exchange(array $wanted): array
{
    $sockets = [];
    for ($n = 0; $n < $wanted['times']; $n++) {
        $sockets[] = $socket = stream_socket_client("tcp://{$wanted['host']}:{$wanted['port']}");
        fwrite($socket, str_replace('{n}', sprintf('%03d', $n), $wanted['wire']));
    }
    return array_map('stream_get_contents', $sockets);
}

$curl = curl_init();
while (($line = fgets(STDIN)) !== false) {
    $wanted = json_decode($line, true);
    if (isset($wanted['wire'])) {
        echo json_encode(exchange($wanted)), "\n";
        continue;
    }
    $how = $wanted['how'] ?? null;
    $headers = [];
    foreach ($wanted['headers'] as $name => $value) {
        $headers[] = "$name: $value";
    }
    if (isset($wanted['type'])) {
        $headers[] = "Content-Type: {$wanted['type']}";
    }

    // The connection stays.
    curl_reset($curl);
    $received = [];
    curl_setopt_array($curl, [
        CURLOPT_URL => $wanted['url'],
        CURLOPT_CUSTOMREQUEST => $wanted['method'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HEADERFUNCTION => function ($curl, $header) use (&$received) {
            [$name, $value] = explode(':', $header, 2) + [1 => null];
            if ($value !== null) {
                $received[strtolower($name)] = trim($value);
            }
            return strlen($header);
        },
    ]);
    if ($how !== 'credentials in the address') {
        curl_setopt($curl, CURLOPT_USERPWD, "{$wanted['username']}:{$wanted['password']}");
    }
    if ($how === 'only when challenged') {
        curl_setopt($curl, CURLOPT_HTTPAUTH, CURLAUTH_ANY);
    }
    if ($how === 'HTTP/1.0') {
        curl_setopt($curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0);
    }
    if ($how === 'any encoding') {
        curl_setopt($curl, CURLOPT_ENCODING, '');
    }

    $body = null;
    if (array_key_exists('text', $wanted)) {
        $body = $wanted['text'];
    } elseif (array_key_exists('body', $wanted)) {
        $body = json_encode($wanted['body']);
    }
    if ($how === 'chunked') {
        $stream = fopen('php://memory', 'r+');
        fwrite($stream, $body);
        rewind($stream);
        $headers[] = 'Transfer-Encoding: chunked';
        curl_setopt($curl, CURLOPT_UPLOAD, true);
        curl_setopt($curl, CURLOPT_INFILE, $stream);
    } elseif ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);

    $text = curl_exec($curl);
    if ($text === false) {
        throw new Exception(curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    echo json_encode(['status' => $status, 'headers' => (object) $received, 'text' => $text]), "\n";
}
