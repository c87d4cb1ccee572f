#!/bin/sh
# A legacy stdio server that starts in two milliseconds, for tests that need hundreds of processes. It reads messages as
# the hub writes them: the id comes before the method, and strings hold no escapes.
# `note` answers with its key, `count` counts, `pid` names the process, `client` the name that the client gave.
count=0
client=
answer() {
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"
}
text() {
  answer "{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"
}
tool() {
  printf '{"name":"%s","inputSchema":{"type":"object","properties":{"key":{"type":"string"}}}}' "$1"
}
# The string after a name: member <name>
member() {
  value=${line#*"\"$1\":\""}
  value=${value%%'"'*}
}
while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      case $line in *'"clientInfo":{"name":'*) rest=$line; line=${line#*'"clientInfo":{'}; member name; client=$value; line=$rest ;; esac
      member protocolVersion
      answer "{\"protocolVersion\":\"$value\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"tiny\",\"version\":\"1.0.0\"}}"
      ;;
    *'"method":"ping"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer "{\"tools\":[$(tool note),$(tool count),$(tool pid),$(tool client)]}" ;;
    *'"name":"note"'*)
      member key
      text "noted $value"
      ;;
    *'"name":"count"'*)
      count=$((count + 1))
      text "$count"
      ;;
    *'"name":"pid"'*) text $$ ;;
    *'"name":"client"'*) text "$client" ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id" ;;
  esac
done
