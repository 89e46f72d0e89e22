"""``$/setTrace`` decides whether the client hears what the server received."""


def set_trace(client, value):
    client.notify("$/setTrace", {"value": value})
    client.pull("file:///trace/not/open")


def traced(client):
    client.seen.clear()
    client.call("no/such", {"a": 1})
    return [message["params"] for message in client.all("$/logTrace")]


def test_tracing_is_off_until_it_is_asked_for(client):
    assert traced(client) == []


def test_messages_name_the_method(client):
    set_trace(client, "messages")
    assert traced(client) == [{"message": "Received request 'no/such'."}]


def test_verbose_gives_the_params_and_off_ends_it(client):
    set_trace(client, "verbose")
    assert traced(client) == [{"message": "Received request 'no/such'.", "verbose": '{"a":1}'}]
    set_trace(client, "off")
    assert traced(client) == []


def test_a_trace_level_can_come_with_initialize(start):
    client = start()
    client.initialize(trace="messages")
    assert {"message": "Received request 'no/such'."} in traced(client)


def test_an_unknown_level_changes_nothing_and_is_no_bug(client):
    set_trace(client, "messages")
    set_trace(client, "loud")
    assert traced(client) == [{"message": "Received request 'no/such'."}]
    set_trace(client, "off")
    assert b"ignoring the trace level 'loud'" in client.errors
    assert b"bug" not in client.errors
