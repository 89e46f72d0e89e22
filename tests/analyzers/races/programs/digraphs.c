// The alternative spellings of brackets, braces and hashes.
%:include <pthread.h>
%:define JOIN(a, b) a %:%: b

static int hits;
static int JOIN(ta, ble)<:4:>;
static const char *text = "<% %: :>";

static void *worker(void *unused) <%
    hits++; // race: hits
    table<:0:> = *text; // race: table[0]
    return unused;
%>

int main(void) <%
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
%>
